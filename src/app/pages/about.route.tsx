import type { MetaFunction } from 'react-router';
import { config } from '../../platform/config/config.server.ts';
import type { PageHandle } from '../../shared/page-handle.ts';
import { Mission, Offer, Promises, Reach, Way } from './about/about-parts.tsx';
import './about/about.css';
import { breadcrumbs } from './parts/breadcrumbs.ts';
import { organization } from './parts/organization.ts';
import { wordsMeta } from './parts/page-words.ts';

export const handle: PageHandle = { page: 'public' };

export const loader = () => ({ publicUrl: config().publicUrl });

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => {
  if (!loaderData) return [];
  const { publicUrl } = loaderData;
  return [
    ...wordsMeta('about', publicUrl),
    { 'script:ld+json': organization(publicUrl) },
    { 'script:ld+json': breadcrumbs('About', '/about', publicUrl) },
  ];
};

export default function About() {
  return (
    <main id="main" className="wrap">
      <div className="page-head">
        <h1 className="h1">A place to work with models that are not ours</h1>
        <p className="lead">Who we are, what we promise, and how you can check it.</p>
      </div>
      <Mission />
      <Way />
      <Promises />
      <Offer />
      <Reach />
    </main>
  );
}
