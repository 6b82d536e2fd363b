import { renderToStaticMarkup } from 'react-dom/server';
import { remainingPictures } from '#features/images/service.server.ts';
import { locale } from '#messages';
import { BoundedCache } from '#platform/bounded-cache.ts';
import { parsePlaced } from '#shared/fountain/parse-fountain.ts';
import { ScreenplayView } from '#ui/screenplay-view.tsx';
import { sharedImagePath } from './contract.ts';
import { markdownHtml, newBudget, renderMessages } from './shared-markdown.server.tsx';
import type { ShownRow } from './store.server.ts';
import type { RenderedContent } from './web/shared-content.tsx';

/** Rendered pages in the cache, of up to a few megabytes each. */
const CACHE_SIZE = 10;

/** Many texts start with their title as a heading, which the page already shows above them. */
function withoutTitle(text: string, title: string): string {
  const heading = /^\s*#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*(\n|$)/.exec(text);
  return heading?.[1] === title.trim() ? text.slice(heading[0].length) : text;
}

async function render({ kind, title, messages, content }: ShownRow): Promise<RenderedContent> {
  if (messages) return { messages: await renderMessages(messages) };
  const text = content ?? '';
  if (kind !== 'script')
    return { html: markdownHtml(withoutTitle(text, title), { budget: newBudget(), at: 0 }) };
  const { placed } = parsePlaced(text);
  return { screenplay: renderToStaticMarkup(<ScreenplayView placed={placed} name="script" />) };
}

const cache = new BoundedCache<Promise<RenderedContent>>(CACHE_SIZE);

/** Deleted images do not change the addresses of the others. */
async function renderImages({ id, user_id, picture_ids, show_prompts }: ShownRow): Promise<RenderedContent> {
  const ids = picture_ids ?? [];
  const pictures = await remainingPictures(user_id, ids);
  return {
    images: pictures.map((picture) => ({
      path: sharedImagePath(id, ids.indexOf(picture.id) + 1),
      width: picture.width,
      height: picture.height,
      prompt: show_prompts ? picture.prompt : null,
    })),
  };
}

/** Call it only with a row that was just read: cached content of an ended page is then never shown. */
export function renderedContent(page: ShownRow): Promise<RenderedContent> {
  if (page.kind === 'images') return renderImages(page);
  const key = `${page.id} ${page.updated_at.toISOString()} ${locale()}`;
  const cached = cache.get(key);
  if (cached) return cached;
  const rendering = cache.set(key, render(page));
  rendering.catch(() => cache.delete(key));
  return rendering;
}
