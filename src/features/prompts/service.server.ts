import { me } from '#features/accounts/service.server.ts';
import { planLimits } from '#features/credits/contract.ts';
import type { ExportFile } from '#platform/data-export.server.ts';
import { database } from '#platform/database/database.server.ts';
import type { Actor, ActorInput } from '#platform/http/actor.server.ts';
import { notFound, Problem } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { cleanInput } from '#shared/input-text.ts';
import { slugOf } from '#shared/slug.ts';
import { type Prompt, type PromptPage, type PromptQuery, promptLimits, promptTexts } from './contract.ts';
import { setDeleted } from './own-prompts-store.server.ts';
import {
  countRows,
  type PromptRow,
  promptRow,
  promptRows,
  publishedSlugs,
  saveReport,
  setLike,
  type Viewer,
} from './store.server.ts';

export { publishCurated } from './curated-prompts.server.ts';
export { addImportedPrompt } from './import-prompt.server.ts';
export { isAction, listQueue, ModerationError, moderate, showQueued } from './moderation.server.ts';
export { hasPrompt } from './own-prompts-store.server.ts';
export { promptItems } from './prompt-items-store.server.ts';

const HOUR = 3600;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export function promptId(text: string): string {
  if (!uuid.test(text)) throw notFound();
  return text;
}

/** A person whose account was deleted meanwhile sees the same as guests. */
export async function viewerOf(actor: Actor): Promise<Viewer> {
  if (actor.kind !== 'user') return { userId: null, unlimited: false };
  try {
    const { id, plan } = await me({ actor });
    return { userId: id, unlimited: planLimits[plan].unlimited };
  } catch (error) {
    if (error instanceof Problem && error.code === 'unauthorized') return { userId: null, unlimited: false };
    throw error;
  }
}

function toPrompt(row: PromptRow): Prompt {
  const { id, title, description, content, category, likes, state, reason } = row;
  return {
    id,
    slug: row.slug ?? id,
    title,
    description,
    content,
    category,
    likes,
    isLiked: row.is_liked,
    isLocked: row.is_locked,
    isPro: row.locked,
    isCurated: row.is_curated,
    opensIn: category === 'image' && !row.gives_text ? 'image' : 'chat',
    rating: row.rating === null ? null : { average: row.rating, count: row.rating_count },
    editorRating:
      row.rating !== null || row.editor_rating === null || row.editor_reason === null
        ? null
        : { value: row.editor_rating / 10, reason: row.editor_reason },
    isUsed: row.is_used,
    ownRating: row.own_stars,
    own: row.is_own ? { state, reason } : null,
  };
}

export async function listPrompts({
  actor,
  input,
}: {
  actor: Actor;
  input: PromptQuery;
}): Promise<PromptPage> {
  const viewer = await viewerOf(actor);
  const [rows, total] = await Promise.all([
    promptRows(database(), input, viewer),
    countRows(database(), input, viewer),
  ]);
  return { prompts: rows.map(toPrompt), total, from: input.from };
}

export async function promptPages(limit: number): Promise<Array<{ path: string; updated: string | null }>> {
  const rows = await publishedSlugs(database(), limit);
  return rows.map(({ slug, updated }) => ({ path: `/tools/prompts/${slug}`, updated }));
}

export async function openPrompt({
  actor,
  input,
}: {
  actor: Actor;
  input: { name: string };
}): Promise<Prompt> {
  if (input.name.includes('\0') || !input.name.isWellFormed()) throw notFound();
  const row = await promptRow(database(), input.name, await viewerOf(actor));
  if (!row) throw notFound();
  return toPrompt(row);
}

/** Deletes or, with `deleted: false`, restores a prompt. */
export async function deletePrompt({
  actor,
  input: { id, deleted },
}: ActorInput<{ id: string; deleted: boolean }>): Promise<void> {
  const limit = { max: promptLimits.deleted, seconds: HOUR };
  await enforceLimit(`prompt-deleted:${actor.userId}`, limit, promptTexts.tooOften());
  if ((await setDeleted(database(), actor.userId, promptId(id), deleted)) === 0) throw notFound();
}

/** Only for the person's own prompts. */
export async function promptFile({ actor, input }: ActorInput<{ id: string }>): Promise<ExportFile> {
  const { id, title, description, content, own } = await openPrompt({
    actor,
    input: { name: promptId(input.id) },
  });
  if (!own) throw notFound();
  const parts = [`# ${title}`, description, content].filter((part) => part !== '');
  return { name: `prompts/${slugOf(title, 'prompt')}-${id}.md`, content: `${parts.join('\n\n')}\n` };
}

export async function likePrompt({
  actor,
  input: { id, liked },
}: ActorInput<{ id: string; liked: boolean }>): Promise<{ likes: number; isLiked: boolean }> {
  const limit = { max: promptLimits.liked, seconds: HOUR };
  await enforceLimit(`prompt-like:${actor.userId}`, limit, promptTexts.tooManyLikes());
  const likes = await setLike(database(), actor.userId, promptId(id), liked);
  if (likes === null) throw notFound();
  return { likes, isLiked: liked };
}

export async function reportPrompt({
  actor,
  input: { id, reason },
}: ActorInput<{ id: string; reason: string }>): Promise<void> {
  const limit = { max: promptLimits.reported, seconds: HOUR };
  await enforceLimit(`prompt-report:${actor.userId}`, limit, promptTexts.tooManyReports());
  const changed = await saveReport(database(), actor.userId, promptId(id), cleanInput(reason));
  if (changed === 0) throw notFound();
}
