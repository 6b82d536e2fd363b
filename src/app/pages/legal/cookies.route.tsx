import { type MetaFunction, useLoaderData } from 'react-router';
import type { PageHandle } from '#shared/page-handle.ts';
import { LegalArticle, legalMeta } from './legal-article.tsx';
import { legalPage } from './legal-pages.server.ts';

export const handle: PageHandle = { page: 'public' };

export const loader = () => legalPage('cookies');

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => legalMeta(loaderData);

export default function Cookies() {
  return <LegalArticle document={useLoaderData<typeof loader>().document} />;
}
