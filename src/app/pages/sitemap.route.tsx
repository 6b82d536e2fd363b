import { type MetaFunction, useLoaderData } from 'react-router';
import { site } from '../../../content/site.ts';
import { config } from '../../platform/config/config.server.ts';
import type { PageHandle } from '../../shared/page-handle.ts';
import { pageMeta } from '../../shared/page-meta.ts';
import { newsletter } from '../shell/places.ts';
import { siteMapGroups } from '../site-map.server.ts';
import { breadcrumbs } from './parts/breadcrumbs.ts';
import { SitemapGroup } from './sitemap/groups.tsx';
import './sitemap/sitemap.css';

export const handle: PageHandle = { page: 'public' };

export const loader = () => ({ publicUrl: config().publicUrl, groups: siteMapGroups() });

const description = `The pages of ${site.name} that search engines are told of, in five groups, each with the day on which its words last changed.`;

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => {
  if (!loaderData) return [];
  const { publicUrl } = loaderData;
  return [
    ...pageMeta({ title: 'Sitemap', description, path: '/sitemap', publicUrl }),
    { 'script:ld+json': breadcrumbs('Sitemap', '/sitemap', publicUrl) },
  ];
};

export default function Sitemap() {
  const { groups } = useLoaderData<typeof loader>();
  const pages = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  return (
    <main id="main" className="wrap">
      <div className="page-head">
        <h1 className="h1">Sitemap</h1>
        <div>
          <p className="lead">
            <span className="mark">{pages} pages</span> that search engines are told of. The day is the one on
            which the words last changed.
          </p>
          <p className="fine">
            Priority tells search engines how pages compare, from 0 to 1. They read the same list, and every
            prompt of the{' '}
            <a className="link" href="/tools/prompts">
              Prompt Lab
            </a>
            , in{' '}
            <a className="link" href="/sitemap.xml">
              sitemap.xml
            </a>
            ; new articles come by{' '}
            <a className="link" href="/blog/rss.xml">
              RSS
            </a>{' '}
            and in the{' '}
            <a className="link" href={newsletter.path}>
              newsletter
            </a>
            .
          </p>
        </div>
      </div>
      {groups.map((group) => (
        <SitemapGroup key={group.name} {...group} />
      ))}
    </main>
  );
}
