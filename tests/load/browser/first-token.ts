import type { Page } from '@playwright/test';
import { alive } from '../../support/alive.ts';
import { replied } from '../../support/exchange.ts';
import { quantile, round } from '../process.ts';
import { type Figure, figure, type Scene } from './scene.ts';

const times = 20;
/** The first ones meet code that has not run yet. */
const warmUps = 2;

/**
 * Milliseconds from Enter to the frame after the first token of one more reply stands in the page. The gateway's own
 * delay is none.
 */
async function enterToPaint(page: Page): Promise<number> {
  await page.locator('main textarea').fill('paint [[answer:lorem]] [[tokens:3]] [[tps:10]] [[first:0]]');
  await page.evaluate(() => {
    const known = document.querySelectorAll('.chat-reply').length;
    const painted = new Promise<number>((resolve) => {
      let pressed = 0;
      document.addEventListener('keydown', () => (pressed = performance.now()), {
        capture: true,
        once: true,
      });
      const watch = new MutationObserver(() => {
        const replies = document.querySelectorAll('.chat-reply');
        if (replies.length <= known || !replies[known]?.textContent?.includes('w0001')) return;
        watch.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - pressed)));
      });
      watch.observe(document.body, { childList: true, subtree: true, characterData: true });
    });
    Object.assign(window, { painted });
  });
  await page.keyboard.press('Enter');
  const ms = await page.evaluate(() => (window as unknown as { painted: Promise<number> }).painted);
  await replied(page);
  return ms;
}

/** From Enter to the first token painted, in new chats and further on in one. */
export async function firstToken({ page, server }: Scene): Promise<Figure[]> {
  const open = async () => {
    await page.goto(`${server.url}/chat/new`);
    await alive(page);
  };
  const fresh: number[] = [];
  for (let i = 0; i < times + warmUps; i++) {
    await open();
    fresh.push(await enterToPaint(page));
  }
  const further: number[] = [];
  for (let i = 0; i < times + warmUps; i++) further.push(await enterToPaint(page));
  const said = (values: number[]) => {
    const counted = values.slice(warmUps);
    return `${round(quantile(counted, 0.5))} ms, ${round(quantile(counted, 0.95))} ms`;
  };
  return [
    figure('Enter to first token painted, new chat, median and p95', said(fresh), '35 ms, 60 ms'),
    figure('Enter to first token painted, in a chat, median and p95', said(further), '35 ms, 60 ms'),
  ];
}
