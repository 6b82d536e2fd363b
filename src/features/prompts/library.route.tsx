import { type LoaderFunctionArgs, type MetaFunction, redirectDocument, useLoaderData } from 'react-router';
import type { Me } from '#features/accounts/contract.ts';
import { me } from '#features/accounts/service.server.ts';
import { featureTable } from '#features/credits/contract.ts';
import { guestFacts } from '#features/tools/service.server.ts';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import type { Actor } from '#platform/http/actor.server.ts';
import { pageContext } from '#platform/http/page-context.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { pageMeta } from '#shared/page-meta.ts';
import { cardSize } from '#shared/social-card.ts';
import { parseQuery, promptsPath } from './contract.ts';
import { samplesOf } from './samples.server.ts';
import { listPrompts } from './service.server.ts';
import { LibraryPage } from './web/library/library-page.tsx';

// Not a public page without React: its cards depend on the person's plan, likes and own prompts.
export const handle = { page: 'app', footer: true } satisfies PageHandle;

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => [
  ...pageMeta({
    title: loaderData?.me ? featureTable.prompts.name : m.prompts_landing_title(),
    description: m.prompts_landing_description(),
    path: '/tools/prompts',
    publicUrl: loaderData?.publicUrl ?? '',
    image: { path: '/cards/prompts.png', ...cardSize, alt: m.prompts_landing_title() },
  }),
  // Search engines should index only the library itself, not its searches.
  ...(loaderData && loaderData.path !== '/tools/prompts' ? [{ name: 'robots', content: 'noindex' }] : []),
];

async function currentUser(actor: Actor): Promise<Me | null> {
  if (actor.kind !== 'user') return null;
  return me({ actor }).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'unauthorized') return null;
    throw error;
  });
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  if (!featureTable.prompts.offered) throw new Response(null, { status: 404 });
  const { actor } = context.get(pageContext);
  const search = new URL(request.url).searchParams;
  const query = parseQuery(search);
  const path = promptsPath(query);
  const text = search.get('text');
  if (text !== null) throw redirectDocument(promptsPath(parseQuery(new URLSearchParams({ q: text }))));
  // The form submits empty fields too.
  if (['q', 'category', 'sort'].some((name) => search.get(name) === '') && !search.has('upload'))
    throw redirectDocument(path);
  if (query.sort === 'mine' && actor.kind !== 'user')
    throw redirectDocument(`/sign-in?next=${encodeURIComponent(path)}`);
  const [page, user] = await Promise.all([listPrompts({ actor, input: query }), currentUser(actor)]);
  return {
    ...page,
    samples: samplesOf(page.prompts),
    me: user,
    guest: user ? null : guestFacts('prompts'),
    query,
    path,
    upload: search.has('upload'),
    publicUrl: config().publicUrl,
  };
}

export default function Library() {
  return <LibraryPage data={useLoaderData<typeof loader>()} />;
}
