import {
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirectDocument,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router';
import { pageContext } from '../../platform/http/page-context.server.ts';
import { Problem } from '../../platform/http/problem.server.ts';
import type { PageHandle } from '../../shared/page-handle.ts';
import { toolMeta } from '../../shared/page-meta.ts';
import { me } from '../accounts/users/service.server.ts';
import { documentSample } from './sample/service.server.ts';
import { listDocuments, mayAnalyse, openDocument } from './service.server.ts';
import { PdfPage, type PdfPageData } from './web/pdf-page.tsx';

export const handle = { page: 'app', footer: true } satisfies PageHandle;

const about =
  'Summary, questions and keywords of a PDF, each statement with the words of the document that it rests on and their page.';

export const meta: MetaFunction<typeof loader> = ({ loaderData, matches, params }) =>
  toolMeta({
    matches,
    params,
    title: 'PDF Analyzer',
    open: loaderData?.document?.name,
    description: about,
    path: '/tools/pdf',
  });

/** `/tools/pdf` is public; `/tools/pdf/:id` is its owner's, and a stranger's as missing as none. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const { actor } = context.get(pageContext);
  if (actor.kind !== 'user') {
    if (params.id) throw redirectDocument(`/sign-in?next=${encodeURIComponent(`/tools/pdf/${params.id}`)}`);
    const guest: PdfPageData = {
      me: null,
      documents: [],
      document: null,
      missing: false,
      sample: documentSample(),
    };
    return guest;
  }
  const [person, { documents }, document] = await Promise.all([
    me({ actor }),
    listDocuments({ actor }),
    params.id
      ? openDocument({ actor, input: { id: params.id } }).catch((error: unknown) => {
          if (error instanceof Problem && error.code === 'not_found') return 'missing' as const;
          throw error;
        })
      : null,
  ]);
  const missing = document === 'missing';
  const page: PdfPageData = {
    me: person,
    documents,
    document: missing ? null : document,
    missing,
    sample: mayAnalyse(person.plan) && documents.length > 0 ? null : documentSample(),
  };
  return data(page, { status: missing ? 404 : 200 });
}

/** Which tab is open stands in the address and asks for nothing anew. */
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
