import type { Page } from '@playwright/test';
import { noraChats } from '#content/seed/chats.ts';
import { calm, type View } from './browser.ts';
import type { Members } from './fill.ts';
import type { Member } from './member.ts';

interface Clip {
  x: number;
  y: number;
  width: number;
  height: number;
}

type Frame = 'wide' | 'phone';

/** One picture of the product. */
export interface Shot {
  name: string;
  who: keyof Members;
  /** The page that shows it. */
  path: (member: Member) => Promise<string>;
  /** Sizes of the window where they are not the usual ones. */
  view?: Partial<Record<Frame, Partial<View>>>;
  /** Brings the page to what is shown, and says which part of the window that is. */
  frame: (page: Page, frame: Frame) => Promise<Clip>;
}

/** Where an element is in the window. */
async function boxOf(page: Page, selector: string): Promise<Clip> {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`Nothing to be seen of ${selector}.`);
  return box;
}

/** How far below `top` the last of the pieces ends that are there whole within `most`. No text is cut through. */
function wholeWithin(page: Page, pieces: string, top: number, most: number): Promise<number> {
  return page.evaluate(
    ({ pieces, top, most }) => {
      const bottoms = [...document.querySelectorAll(pieces)].map(
        (piece) => piece.getBoundingClientRect().bottom,
      );
      return Math.max(0, ...bottoms.filter((bottom) => bottom <= top + most).map((bottom) => bottom - top));
    },
    { pieces, top, most },
  );
}

/** Once the page has taken over from the server's markup. */
const alive = (page: Page, selector: string) =>
  page.waitForFunction(
    (wanted) =>
      Object.keys(document.querySelector(wanted) ?? {}).some((key) => key.startsWith('__reactProps')),
    selector,
  );

/** Room around what is cut out of a wide window. */
const MARGIN = 24;
/** Less of it below a piece, where the next begins. */
const BELOW = 14;
/** Less of it above a heading, where other text ends. */
const ABOVE = 10;

/** A part of the window as high as told: with room beside it, or as wide as a phone. */
function cut(
  page: Page,
  box: Clip,
  frame: Frame,
  { above = 0, height }: { above?: number; height: number },
): Clip {
  const y = box.y - above;
  if (frame === 'phone') return { x: 0, y, width: page.viewportSize()?.width ?? 0, height };
  return { x: box.x - MARGIN, y, width: box.width + 2 * MARGIN, height };
}

const chat: Shot = {
  name: 'chat',
  who: 'nora',
  path: async () => `/chat/${noraChats.at(-1)?.id}`,
  view: { wide: { width: 1152, height: 776 }, phone: { height: 1100 } },
  async frame(page, frame) {
    await alive(page, 'main textarea');
    await calm(page);
    const header = await boxOf(page, '#site-header');
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
    const top = header.y + header.height;
    const code = await boxOf(page, '.md-code');
    const end = frame === 'wide' ? height : code.y + code.height + 12;
    return { x: 0, y: top, width, height: end - top };
  },
};

const pdf: Shot = {
  name: 'pdf',
  who: 'ines',
  path: async (member) => {
    const { documents } = await member.read<{ documents: { id: string }[] }>('/api/documents');
    return `/tools/pdf/${documents[0]?.id}`;
  },
  view: { wide: { width: 1480 }, phone: { width: 390, height: 1600 } },
  async frame(page, frame) {
    await alive(page, 'main button');
    if (frame === 'wide') {
      await page.locator('.pdf-chip', { hasText: 'p. 2' }).nth(1).click();
      await page.locator('.pdf-mark').first().waitFor();
    }
    await calm(page);
    const box = await boxOf(page, '[data-findings]');
    // Without the line above it: the home page draws its own.
    const y = box.y + 1;
    if (frame === 'wide') return cut(page, { ...box, y }, frame, { height: 540 });
    // There the page is another tab: the statements tell more.
    const height = (await wholeWithin(page, '[data-findings] li:has(> p)', y, 620)) + 1;
    return { x: 0, y, width: page.viewportSize()?.width ?? 0, height };
  },
};

const workPath = (feature: string) => async (member: Member) => {
  const { works } = await member.read<{ works: { id: string }[] }>(`/api/works?feature=${feature}`);
  return `/tools/${feature}/${works[0]?.id}`;
};

/** So wide that what is cut out of them is about as wide as the home page shows it, and so high that all is there. */
const views = {
  writer: { wide: { width: 1046, height: 2000 }, phone: { height: 3600 } },
  script: { wide: { height: 2000 }, phone: { width: 392, height: 3600 } },
};

const writer: Shot = {
  name: 'writer',
  who: 'ines',
  path: workPath('writer'),
  view: views.writer,
  async frame(page, frame) {
    await alive(page, 'main textarea');
    await calm(page);
    const end = await boxOf(page, '.suggestion');
    const start = frame === 'wide' ? await boxOf(page, '.doc-block:has-text("Four people are enough")') : end;
    const height = end.y + end.height - start.y + MARGIN + ABOVE;
    return cut(page, start, frame, { above: ABOVE, height });
  },
};

const script: Shot = {
  name: 'script',
  who: 'ines',
  path: workPath('script'),
  view: views.script,
  async frame(page, frame) {
    await alive(page, 'main textarea');
    await calm(page);
    const box = await boxOf(page, '.sp');
    // Without the line around the sheet: the home page draws its own.
    const [x, y, width] = [box.x + 1, box.y + 1, box.width - 2];
    const whole = await wholeWithin(page, '.sp-speech, .sp-action', y, frame === 'wide' ? 720 : 430);
    return { x, y, width, height: whole + BELOW };
  },
};

/** Every picture of the home page. */
export const shots: Shot[] = [chat, pdf, writer, script];
