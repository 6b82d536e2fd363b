import { type MetaFunction, useLoaderData } from 'react-router';
import { featureTable } from '#features/credits/contract.ts';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { pageMeta } from '#shared/page-meta.ts';
import { setting } from '#shared/settings.ts';
import { linkTo } from '#ui/link-to.tsx';
import { newsletter } from '../shell/site-pages.ts';
import { siteMapGroups } from '../site-map.server.ts';
import { breadcrumbsJsonLd } from './parts/breadcrumbs-json-ld.ts';
import { PageHead } from './parts/page-head.tsx';
import { SitemapGroup } from './sitemap-group.tsx';

export const handle: PageHandle = { page: 'public' };

export const loader = () => ({ publicUrl: config().publicUrl, groups: siteMapGroups() });

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => {
  if (!loaderData) return [];
  const { publicUrl } = loaderData;
  const title = m.page_sitemap();
  const description = m.sitemap_description({ site: setting('brand.name') });
  return [
    ...pageMeta({ title, description, path: '/sitemap', publicUrl }),
    { 'script:ld+json': breadcrumbsJsonLd(title, '/sitemap', publicUrl) },
  ];
};

export default function Sitemap() {
  const { groups } = useLoaderData<typeof loader>();
  const pages = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  return (
    <main id="main" className="wrap">
      <PageHead title={m.page_sitemap()}>
        <div className="grid gap-3">
          <p className="lead">
            {m.sitemap_lead({ pages, mark: (text) => <span className="mark">{text}</span> })}
          </p>
          {featureTable.prompts.offered ? (
            <p className="fine">
              {m.sitemap_more({
                lab: linkTo('/tools/prompts'),
                xml: linkTo('/sitemap.xml'),
                rss: linkTo('/blog/rss.xml'),
                newsletter: linkTo(newsletter.path),
              })}
            </p>
          ) : null}
        </div>
      </PageHead>
      {groups.map((group) => (
        <SitemapGroup key={group.id} {...group} id={`group-${group.id}`} />
      ))}
    </main>
  );
}
