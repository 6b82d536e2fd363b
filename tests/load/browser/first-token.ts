import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { gatewayLog } from '../../support/chat.ts';
import { waitForReply } from '../../support/exchange.ts';
import { waitForHydration } from '../../support/hydration.ts';
import type { TestServer } from '../../support/server.ts';
import { quantile, round } from '../process.ts';
import { type Figure, figure, type Scene } from './scene.ts';

const times = 20;
/** The first runs execute cold code and are not counted. */
const warmUps = 2;

interface Painted {
  /** From Enter to the frame after the first token is in the page. */
  ms: number;
  /** The part until the gateway was called. */
  toGateway: number;
}

/** Measures one more reply; the gateway adds no delay. */
async function enterToPaint(page: Page, server: TestServer): Promise<Painted> {
  const name = `paint ${randomUUID()}`;
  await page.locator('main textarea').fill(`${name} [[answer:lorem]] [[tokens:3]] [[tps:10]] [[first:0]]`);
  await page.evaluate(() => {
    const known = document.querySelectorAll('.chat-reply').length;
    const painted = new Promise<{ ms: number; pressedAt: number }>((resolve) => {
      let pressed = 0;
      document.addEventListener('keydown', () => (pressed = performance.now()), {
        capture: true,
        once: true,
      });
      const observer = new MutationObserver(() => {
        const replies = document.querySelectorAll('.chat-reply');
        if (replies.length <= known || !replies[known]?.textContent?.includes('w0001')) return;
        observer.disconnect();
        requestAnimationFrame(() =>
          setTimeout(() =>
            resolve({ ms: performance.now() - pressed, pressedAt: performance.timeOrigin + pressed }),
          ),
        );
      });
      observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    });
    Object.assign(window, { painted });
  });
  await page.keyboard.press('Enter');
  const { ms, pressedAt } = await page.evaluate(
    () => (window as unknown as { painted: Promise<{ ms: number; pressedAt: number }> }).painted,
  );
  await waitForReply(page);
  const [call] = await gatewayLog(server, name);
  return { ms, toGateway: Date.parse(call?.at ?? '') - pressedAt };
}

/** Measures from Enter to the first painted token, in new chats and within one chat. */
export async function firstToken({ page, server }: Scene): Promise<Figure[]> {
  const open = async () => {
    await page.goto(`${server.url}/chat/new`);
    await waitForHydration(page);
  };
  const fresh: Painted[] = [];
  for (let i = 0; i < times + warmUps; i++) {
    await open();
    fresh.push(await enterToPaint(page, server));
  }
  const inChat: Painted[] = [];
  for (let i = 0; i < times + warmUps; i++) inChat.push(await enterToPaint(page, server));
  const quantileText = (values: Painted[], share: number, value = ({ ms }: Painted) => ms) =>
    `${round(quantile(values.slice(warmUps).map(value), share))} ms`;
  const medianAndP95 = (values: Painted[]) => `${quantileText(values, 0.5)}, ${quantileText(values, 0.95)}`;
  return [
    figure('Enter to first token painted, new chat, median and p95', medianAndP95(fresh), '30 ms, 45 ms'),
    figure('Enter to first token painted, in a chat, median and p95', medianAndP95(inChat), '30 ms, 45 ms'),
    figure(
      'Enter to gateway, gateway to paint, in a chat, medians',
      `${quantileText(inChat, 0.5, ({ toGateway }) => toGateway)}, ${quantileText(inChat, 0.5, ({ ms, toGateway }) => ms - toGateway)}`,
      '18 ms, 10 ms',
    ),
  ];
}
