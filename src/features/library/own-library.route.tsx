import { type LoaderFunctionArgs, redirectDocument, useLoaderData } from 'react-router';
import { m } from '#messages';
import { pageContext } from '#platform/http/page-context.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { unindexedMeta } from '#shared/page-title.ts';
import { parseQuery, pathOf } from './contract.ts';
import { listFilters, listLibrary } from './service.server.ts';
import { LibraryPage } from './web/library-page.tsx';

export const handle = { page: 'app', footer: true } satisfies PageHandle;

export const meta = () => unindexedMeta(m.page_library());

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { actor } = context.get(pageContext);
  const query = parseQuery(new URL(request.url).searchParams);
  if (actor.kind !== 'user')
    throw redirectDocument(`/sign-in?next=${encodeURIComponent(pathOf(query, { after: query.after }))}`);
  const listing = listLibrary({ actor, input: query }).then(
    (listed) => ({ ...listed, error: null }),
    (error: unknown) => {
      if (!(error instanceof Problem) || !['rate_limited', 'unavailable'].includes(error.code)) throw error;
      return { items: [], next: null, error: error.message };
    },
  );
  const [page, filters] = await Promise.all([listing, listFilters(actor)]);
  return { ...page, ...filters, query };
}

export default function Library() {
  return <LibraryPage data={useLoaderData<typeof loader>()} />;
}
