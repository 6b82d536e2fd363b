import { type MetaFunction, useLoaderData } from 'react-router';
import { config } from '../../platform/config/config.server.ts';
import type { PageHandle } from '../../shared/page-handle.ts';
import { breadcrumbs } from './parts/breadcrumbs.ts';
import { fairUseOfAll } from './parts/fair-use.server.ts';
import { wordsMeta } from './parts/page-words.ts';
import { FirstCredits } from './tools/first-credits.tsx';
import { ToolList } from './tools/tool-list.tsx';
import { toolEntries } from './tools/tools.ts';
import './tools/tools.css';

export const handle: PageHandle = { page: 'public' };

export const loader = () => ({ publicUrl: config().publicUrl, fairUse: fairUseOfAll() });

/** The five as a list for search engines, by schema.org. */
const toolItems = (publicUrl: string) => ({
  '@context': 'https://schema.org',
  '@type': 'ItemList',
  itemListElement: toolEntries.map(({ name, path }, at) => ({
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
    ...wordsMeta('tools', publicUrl),
    { 'script:ld+json': toolItems(publicUrl) },
    { 'script:ld+json': breadcrumbs('Tools', '/tools', publicUrl) },
  ];
};

export default function Tools() {
  return (
    <main id="main" className="wrap">
      <div className="page-head">
        <h1 className="h1">
          Five tools, one <span className="mark">balance</span>
        </h1>
        <p className="lead">
          Each does one job to its end and keeps what it made. What a press costs stands on the button.
        </p>
      </div>
      <ToolList fairUse={useLoaderData<typeof loader>().fairUse} />
      <FirstCredits />
    </main>
  );
}
