import readFont from '@fontsource/newsreader/files/newsreader-latin-400-normal.woff2?url';
import {
  data,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  useLoaderData,
} from 'react-router';
import { config } from '#platform/config/config.server.ts';
import { pageContext } from '#platform/http/page-context.server.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { cardSize } from '#shared/social-card.ts';
import { openArticle } from './service.server.ts';
import { articleMeta } from './web/article-meta.ts';
import { ArticlePage } from './web/article-page.tsx';

export const handle: PageHandle = { page: 'public' };

export const links: LinksFunction = () => [
  { rel: 'preload', href: readFont, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
];

export async function loader({ params, context }: LoaderFunctionArgs) {
  const { isBuilt } = context.get(pageContext);
  const opened = await openArticle(params.slug ?? '', isBuilt);
  if (!opened) throw data(null, { status: 404 });
  return { ...opened, publicUrl: config().publicUrl };
}

export const meta: MetaFunction<typeof loader> = ({ loaderData }) =>
  loaderData ? articleMeta(loaderData.article, loaderData.publicUrl, cardSize) : [];

export default function ArticleRoute() {
  return <ArticlePage data={useLoaderData<typeof loader>()} />;
}
