import {
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router';
import { featureTable } from '#features/credits/contract.ts';
import { loadTool } from '#features/tools/service.server.ts';
import { m } from '#messages';
import type { PageHandle } from '#shared/page-handle.ts';
import { toolMeta } from '#shared/page-meta.ts';
import { documentSample } from './document-sample.server.ts';
import { canAnalyze, listDocuments, openDocument } from './service.server.ts';
import { PdfPage, type PdfPageData } from './web/pdf-page.tsx';

export const handle = { page: 'app', footer: true } satisfies PageHandle;

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches, params }) =>
  toolMeta({
    matches,
    params,
    title: loaderData?.me ? featureTable.pdf.name : m.pdf_landing_title(),
    open: loaderData?.opened?.name,
    description: m.pdf_landing_description(),
    path: '/tools/pdf',
    card: 'pdf',
  });

export async function loader(request: LoaderFunctionArgs) {
  const { data: loaded, init } = await loadTool(request, {
    feature: 'pdf',
    open: (actor, id) => openDocument({ actor, input: { id } }),
    list: async (actor) => (await listDocuments({ actor })).documents,
    emptyList: [],
  });
  const hasUsedTool = loaded.me && canAnalyze(loaded.me.plan) && loaded.list.length > 0;
  return data<PdfPageData>({ ...loaded, sample: hasUsedTool ? null : documentSample() }, init ?? {});
}

/** The tab is only a search parameter; changing it needs no new data. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const tabOnly = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  return !tabOnly && defaultShouldRevalidate;
}

export default function PdfRoute() {
  return <PdfPage data={useLoaderData<typeof loader>()} />;
}
