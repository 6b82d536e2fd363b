import { renderToStaticMarkup } from 'react-dom/server';
import { picturesLeft } from '#features/images/service.server.ts';
import { locale } from '#messages';
import { BoundedCache } from '#platform/bounded-cache.ts';
import { parsePlaced } from '#shared/fountain/parse-fountain.ts';
import { ScreenplayView } from '#ui/screenplay-view.tsx';
import { type SharedMessage, sharedImagePath } from './contract.ts';
import { markdownHtml, newBudget } from './shared-markdown.server.tsx';
import type { ShownRow } from './store.server.ts';

/** Pages that are kept as they were rendered, of up to some megabytes each. */
const KEPT = 10;

export interface RenderedMessage extends Pick<SharedMessage, 'role' | 'files'> {
  /** Of a reply its HTML, of a question its text. */
  content: string;
}

export interface RenderedImage {
  path: string;
  width: number;
  height: number;
  /** Null: its owner does not show it. */
  prompt: string | null;
}

export type SharedContent =
  | { messages: RenderedMessage[] }
  | { html: string }
  | { screenplay: string }
  | { images: RenderedImage[] };

async function renderMessages(messages: readonly SharedMessage[]): Promise<RenderedMessage[]> {
  const budget = newBudget();
  const rendered: RenderedMessage[] = [];
  for (const [at, { role, text, files, sources = [] }] of messages.entries()) {
    const content = role === 'user' ? text : markdownHtml(text, { budget, at, sources });
    rendered.push({ role, files, content });
    // Other requests come between two messages.
    await new Promise(setImmediate);
  }
  return rendered;
}

async function render({ kind, messages, content }: ShownRow): Promise<SharedContent> {
  if (messages) return { messages: await renderMessages(messages) };
  const text = content ?? '';
  if (kind !== 'script') return { html: markdownHtml(text, { budget: newBudget(), at: 0 }) };
  const { placed } = parsePlaced(text);
  return { screenplay: renderToStaticMarkup(<ScreenplayView placed={placed} name="script" />) };
}

const kept = new BoundedCache<Promise<SharedContent>>(KEPT);

/** Those of a set that were deleted leave the others their addresses. */
async function images({ id, user_id, picture_ids, show_prompts }: ShownRow): Promise<SharedContent> {
  const ids = picture_ids ?? [];
  const left = await picturesLeft(user_id, ids);
  return {
    images: left.map((picture) => ({
      path: sharedImagePath(id, ids.indexOf(picture.id) + 1),
      width: picture.width,
      height: picture.height,
      prompt: show_prompts ? picture.prompt : null,
    })),
  };
}

/** Whoever has read the page's row may ask: what is kept of one that has ended is found by nobody. */
export function renderedContent(page: ShownRow): Promise<SharedContent> {
  if (page.kind === 'images') return images(page);
  const key = `${page.id} ${page.updated_at.toISOString()} ${locale()}`;
  return kept.get(key) ?? kept.set(key, render(page));
}
