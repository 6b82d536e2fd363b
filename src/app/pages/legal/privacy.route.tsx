import { type MetaFunction, useLoaderData } from 'react-router';
import type { PageHandle } from '../../../shared/page-handle.ts';
import { legalPage } from './documents.server.ts';
import { LegalArticle, legalMeta } from './legal-article.tsx';

export const handle: PageHandle = { page: 'public' };

export const loader = () => legalPage('privacy');

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => legalMeta(loaderData);

export default function Privacy() {
  return <LegalArticle document={useLoaderData<typeof loader>().document} />;
}
