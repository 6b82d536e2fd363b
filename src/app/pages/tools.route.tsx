import { type MetaFunction, useLoaderData } from 'react-router';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { breadcrumbsJsonLd } from './parts/breadcrumbs-json-ld.ts';
import { allFairUse } from './parts/fair-use.server.ts';
import { PageHead } from './parts/page-head.tsx';
import { namedPageMeta } from './parts/page-metadata.ts';
import { FirstCredits } from './tools/first-credits.tsx';
import { toolEntries } from './tools/tool-entries.ts';
import { ToolList } from './tools/tool-list.tsx';

export const handle: PageHandle = { page: 'public' };

export const loader = () => ({ publicUrl: config().publicUrl, fairUse: allFairUse() });

const toolItems = (publicUrl: string) => ({
  '@context': 'https://schema.org',
  '@type': 'ItemList',
  itemListElement: toolEntries().map(({ name, path }, at) => ({
    '@type': 'ListItem',
    position: at + 1,
    name,
    url: publicUrl + path,
  })),
});

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => {
  if (!loaderData) return [];
  const { publicUrl } = loaderData;
  return [
    ...namedPageMeta('tools', publicUrl),
    { 'script:ld+json': toolItems(publicUrl) },
    { 'script:ld+json': breadcrumbsJsonLd(m.common_tools(), '/tools', publicUrl) },
  ];
};

export default function Tools() {
  return (
    <main id="main" className="wrap">
      <PageHead
        title={m.tools_title({
          count: toolEntries().length,
          mark: (text) => <span className="mark">{text}</span>,
        })}
      >
        <p className="lead">{m.tools_lead()}</p>
      </PageHead>
      <ToolList fairUse={useLoaderData<typeof loader>().fairUse} />
      <FirstCredits />
    </main>
  );
}
