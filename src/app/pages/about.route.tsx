import type { MetaFunction } from 'react-router';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { ContactWays, HowItWorks, Mission, Promises, ToolOverview } from './about-sections.tsx';
import { breadcrumbsJsonLd } from './parts/breadcrumbs-json-ld.ts';
import { organizationJsonLd } from './parts/organization-json-ld.ts';
import { namedPageMeta } from './parts/page-metadata.ts';

export const handle: PageHandle = { page: 'public' };

export const loader = () => ({ publicUrl: config().publicUrl });

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => {
  if (!loaderData) return [];
  const { publicUrl } = loaderData;
  return [
    ...namedPageMeta('about', publicUrl),
    { 'script:ld+json': organizationJsonLd(publicUrl) },
    { 'script:ld+json': breadcrumbsJsonLd(m.page_about(), '/about', publicUrl) },
  ];
};

export default function About() {
  return (
    <main id="main" className="wrap">
      <div className="grid grid-cols-[minmax(0,1.05fr)_minmax(0,1fr)] gap-16 items-end pt-24 pb-10 max-md:grid-cols-1 max-md:gap-5 max-md:pt-20 max-md:pb-8">
        <h1 className="h1 focus-visible:[outline:none]">{m.about_title()}</h1>
        <p className="lead">{m.about_lead()}</p>
      </div>
      <Mission />
      <HowItWorks />
      <Promises />
      <ToolOverview />
      <ContactWays />
    </main>
  );
}
