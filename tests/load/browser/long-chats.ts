import { send, waitForReply } from '../../support/exchange.ts';
import { waitForHydration } from '../../support/hydration.ts';
import { type LongChat, writeChat } from '../../support/long-chat.ts';
import { quantile, round } from '../process.ts';
import { counter, type Figure, figure, type Scene } from './scene.ts';

/**
 * Opens a chat in a fresh page: milliseconds until its last question is visible, and of scripting until the page is
 * idle.
 */
async function open(scene: Scene, { id }: LongChat): Promise<{ readable: number; scripting: number }> {
  const { page, server } = scene;
  await page.goto('about:blank');
  const before = await counter(scene, 'ScriptDuration');
  await page.goto(`${server.url}/chat/${id}`, { waitUntil: 'networkidle' });
  await waitForHydration(page);
  const readable = await page.evaluate(() => (window as unknown as { readable: number }).readable);
  return { readable, scripting: ((await counter(scene, 'ScriptDuration')) - before) * 1000 };
}

async function opening(scene: Scene, count: number, aim = ''): Promise<[LongChat, Figure[]]> {
  const chat = await writeChat(scene.server, scene.person, count);
  const runs: Array<Awaited<ReturnType<typeof open>>> = [];
  for (let i = 0; i < 5; i++) runs.push(await open(scene, chat));
  const readable = round(
    quantile(
      runs.map((run) => run.readable),
      0.5,
    ),
    0,
  );
  const scripting = round(
    quantile(
      runs.map((run) => run.scripting),
      0.5,
    ),
    0,
  );
  return [
    chat,
    [
      figure(`chat of ${count} opened, until readable`, `${readable} ms`, aim),
      figure(`chat of ${count} opened, scripts`, `${scripting} ms`, ''),
    ],
  ];
}

/** Loads every earlier page of the open chat. */
async function loadAll({ page }: Scene, count: number): Promise<number> {
  const startedAt = performance.now();
  for (let known = 0; known < count; ) {
    known = await page.evaluate(async (knownRows) => {
      const box = document.querySelector('.chat-scroll');
      const rows = () => document.querySelectorAll('.chat-turn').length;
      while (rows() <= knownRows) {
        if (box) box.scrollTop = 0;
        await new Promise((done) => requestAnimationFrame(done));
      }
      return rows();
    }, known);
  }
  return performance.now() - startedAt;
}

const typedText = 'what one types while the answer is still coming in, at an even pace';

/**
 * Measures from a key press to the frame that shows its letter, with 2,000 messages in the page and a reply arriving.
 */
async function typing(scene: Scene): Promise<Figure[]> {
  const { page } = scene;
  await send(page, '[[answer:lorem]] [[tokens:900]] [[tps:100]] [[first:0]]');
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.chat-reply')].at(-1)?.textContent?.includes('w0020'),
  );
  await page.evaluate(() => {
    const delays: number[] = [];
    Object.assign(window, { delays });
    document.addEventListener('keydown', ({ timeStamp }) => {
      requestAnimationFrame(() => setTimeout(() => delays.push(performance.now() - timeStamp)));
    });
  });
  await page.locator('main textarea').pressSequentially(typedText, { delay: 80 });
  const delays = await page.evaluate(() => (window as unknown as { delays: number[] }).delays);
  await waitForReply(page);
  const at = (share: number) => `${round(quantile(delays, share))} ms`;
  return [
    figure(
      'typing with 2,000 messages during a reply, median, p95, most',
      `${at(0.5)}, ${at(0.95)}, ${at(1)}`,
      '50 ms',
    ),
  ];
}

/** Measures long chats: time until readable, time to load everything, and typing delay. */
export async function longChats(scene: Scene): Promise<Figure[]> {
  await scene.page.addInitScript(() => {
    const check = () => {
      const box = document.querySelector<HTMLElement>('.chat-scroll');
      const question = [...document.querySelectorAll('.chat-question')].at(-1);
      if (box && question && box.dataset.landing === undefined && question.getBoundingClientRect().height > 0)
        // Takes the time of the next frame, because the current one is painted by then.
        requestAnimationFrame((now) => Object.assign(window, { readable: now }));
      else requestAnimationFrame(check);
    };
    requestAnimationFrame(check);
  });
  const [, of20] = await opening(scene, 20, '250 ms');
  const [, of500] = await opening(scene, 500, '300 ms');
  const [, of2000] = await opening(scene, 2000);
  const all = await loadAll(scene, 2000);
  return [
    ...of20,
    ...of500,
    ...of2000,
    figure('all 2,000 loaded by scrolling', `${round(all / 1000)} s`, ''),
    ...(await typing(scene)),
  ];
}
