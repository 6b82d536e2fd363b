import type { MetaFunction } from 'react-router';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { ContactOptions, HowItWorks, Mission, Promises, ToolOverview } from './about-sections.tsx';
import { breadcrumbsJsonLd } from './parts/breadcrumbs-json-ld.ts';
import { organizationJsonLd } from './parts/organization-json-ld.ts';
import { PageHead } from './parts/page-head.tsx';
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
      <PageHead title={m.about_title()}>
        <p className="lead">{m.about_lead()}</p>
      </PageHead>
      <Mission />
      <HowItWorks />
      <Promises />
      <ToolOverview />
      <ContactOptions />
    </main>
  );
}
