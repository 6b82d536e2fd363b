import { data, type LoaderFunctionArgs, redirectDocument } from 'react-router';
import { toolArticles } from '#content/tool-articles.ts';
import { me } from '#features/accounts/service.server.ts';
import { articleOf } from '#features/blog/service.server.ts';
import { type Feature, featureTable } from '#features/credits/contract.ts';
import { fairUse } from '#features/credits/service.server.ts';
import { listTexts, openText } from '#features/texts/service.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import { pageContext } from '#platform/http/page-context.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import type { GuestFacts, ToolData } from './contract.ts';

interface ToolSource<Work, List> {
  feature: Feature;
  open(actor: UserActor, id: string): Promise<Work>;
  /** Not called for guests, who get `emptyList`. */
  list(actor: UserActor): Promise<List> | List;
  emptyList: List;
}

export function guestFacts(feature: Feature): GuestFacts {
  const articles = (toolArticles[feature] ?? []).flatMap((name) => {
    const article = articleOf(name);
    return article
      ? [{ slug: article.slug, title: article.title, section: article.section, words: article.words }]
      : [];
  });
  return { fairUse: fairUse(feature), articles };
}

/** Guests can read the page but must sign in to open a work. A missing work, or another person's, is a 404. */
export async function loadTool<Work, List>(
  { params: { id }, context }: LoaderFunctionArgs,
  { feature, open, list, emptyList }: ToolSource<Work, List>,
) {
  const { actor } = context.get(pageContext);
  // Owners can still open earlier work, which the dashboard lists.
  if (!featureTable[feature].offered && !(actor.kind === 'user' && id)) throw data(null, { status: 404 });
  if (actor.kind !== 'user') {
    if (id)
      throw redirectDocument(`/sign-in?next=${encodeURIComponent(`${featureTable[feature].page}/${id}`)}`);
    return data<ToolData<Work, List>>({
      me: null,
      guest: guestFacts(feature),
      opened: null,
      missing: false,
      list: emptyList,
    });
  }
  const [person, opened, listed] = await Promise.all([
    me({ actor }),
    id
      ? open(actor, id).catch((error: unknown) => {
          if (error instanceof Problem && error.code === 'not_found') return null;
          throw error;
        })
      : null,
    list(actor),
  ]);
  const missing = id !== undefined && opened === null;
  return data<ToolData<Work, List>>(
    { me: person, guest: null, opened, missing, list: listed },
    { status: missing ? 404 : 200 },
  );
}

/** `?version=` selects an older version. */
export function loadTextTool(args: LoaderFunctionArgs, feature: Feature) {
  const version = new URL(args.request.url).searchParams.get('version') ?? undefined;
  return loadTool(args, {
    feature,
    open: (actor, id) => openText({ actor, input: { id, version, feature } }),
    list: (actor) => listTexts({ actor, input: { feature } }),
    emptyList: { works: [], next: null },
  });
}
