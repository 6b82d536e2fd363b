import { type LoaderFunctionArgs, type MetaFunction, redirectDocument, useLoaderData } from 'react-router';
import { config } from '../../platform/config/config.server.ts';
import type { Actor } from '../../platform/http/actor.server.ts';
import { pageContext } from '../../platform/http/page-context.server.ts';
import { Problem } from '../../platform/http/problem.server.ts';
import type { PageHandle } from '../../shared/page-handle.ts';
import { pageMeta } from '../../shared/page-meta.ts';
import type { Me } from '../accounts/contract.ts';
import { me } from '../accounts/users/service.server.ts';
import { pathOf, queryOf } from './contract.ts';
import { listPrompts } from './service.server.ts';
import { LibraryPage } from './web/library/library-page.tsx';

// Not a public page without React: what a card shows depends on the person's plan, likes and own prompts.
export const handle = { page: 'app', footer: true } satisfies PageHandle;

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => [
  ...pageMeta({
    title: 'Prompt Lab',
    description:
      'Prompts for writing, programming, images and marketing, with blanks to fill in, ready for the chat.',
    path: '/tools/prompts',
    publicUrl: loaderData?.publicUrl ?? '',
  }),
  // Every search is a page of its own: none but the library itself is for search engines.
  ...(loaderData && loaderData.path !== '/tools/prompts' ? [{ name: 'robots', content: 'noindex' }] : []),
];

async function person(actor: Actor): Promise<Me | null> {
  if (actor.kind !== 'user') return null;
  return me({ actor }).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'unauthorized') return null;
    throw error;
  });
}

/** The library, as the address searches it; one's own prompts are asked for by whoever has signed in. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { actor } = context.get(pageContext);
  const search = new URL(request.url).searchParams;
  const query = queryOf(search);
  const path = pathOf(query);
  if (query.sort === 'mine' && actor.kind !== 'user')
    throw redirectDocument(`/sign-in?next=${encodeURIComponent(path)}`);
  const [page, known] = await Promise.all([listPrompts({ actor, input: query }), person(actor)]);
  return { ...page, me: known, query, path, upload: search.has('upload'), publicUrl: config().publicUrl };
}

export default function Library() {
  return <LibraryPage data={useLoaderData<typeof loader>()} />;
}
