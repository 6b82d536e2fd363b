import { type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import { me } from '#features/accounts/service.server.ts';
import { featureTable } from '#features/credits/contract.ts';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import { pageContext } from '#platform/http/page-context.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { pageMeta } from '#shared/page-meta.ts';
import { setting } from '#shared/settings.ts';
import { cardSize } from '#shared/social-card.ts';
import { categoryNames, type Prompt } from './contract.ts';
import { samplesOf } from './samples.server.ts';
import { openPrompt } from './service.server.ts';
import { PromptPage } from './web/prompt-page.tsx';

// Not a public page without React: how much of a locked prompt it shows depends on the person's plan.
export const handle = { page: 'app', footer: true } satisfies PageHandle;

/** Contains only the title and description, because the prompt may be locked. */
const structuredData = (prompt: Prompt, url: string, image: string) => ({
  '@context': 'https://schema.org',
  '@type': 'CreativeWork',
  name: prompt.title,
  description: prompt.description || undefined,
  url,
  image,
  genre: categoryNames[prompt.category](),
  isAccessibleForFree: !prompt.isPro,
  publisher: { '@type': 'Organization', name: setting('brand.name') },
  interactionStatistic: {
    '@type': 'InteractionCounter',
    interactionType: 'https://schema.org/LikeAction',
    userInteractionCount: prompt.likes,
  },
});

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => {
  if (!loaderData) return [{ name: 'robots', content: 'noindex' }];
  const { prompt, publicUrl, card, isPublic } = loaderData;
  const path = `/tools/prompts/${prompt.slug}`;
  const image = { path: `${path}/card.png`, ...card, alt: prompt.title };
  const description =
    prompt.description || m.prompts_description_default({ category: categoryNames[prompt.category]() });
  const fields = { title: prompt.title, description, path, publicUrl };
  if (!isPublic) return [...pageMeta(fields), { name: 'robots', content: 'noindex' }];
  return [
    ...pageMeta({ ...fields, image }),
    { 'script:ld+json': structuredData(prompt, publicUrl + path, publicUrl + image.path) },
  ];
};

/** 404 for a prompt that is neither published nor the visitor's own. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  if (!featureTable.prompts.offered) throw new Response(null, { status: 404 });
  const { actor } = context.get(pageContext);
  const [prompt, user] = await Promise.all([
    openPrompt({ actor, input: { name: params.slug ?? '' } }),
    actor.kind === 'user' ? me({ actor }) : null,
  ]).catch((error: unknown) => {
    if (error instanceof Problem) throw new Response(null, { status: error.status });
    throw error;
  });
  return {
    prompt,
    sample: samplesOf([prompt])[prompt.slug] ?? null,
    me: user,
    isPublic: prompt.own === null || prompt.own.state === 'approved',
    openFillIn: new URL(request.url).searchParams.has('use'),
    publicUrl: config().publicUrl,
    card: cardSize,
  };
}

export default function PromptRoute() {
  return <PromptPage data={useLoaderData<typeof loader>()} />;
}
