import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { projectRoot, releaseRoot } from '../config/root.server.ts';
import { takeTurns } from '../turns/turns.server.ts';
import type { CardWords } from './words.ts';

/** Pages and conversations come first. */
const NICENESS = 10;

function yieldToOthers(pid: number | undefined): void {
  try {
    if (pid) setPriority(pid, NICENESS);
  } catch {
    // It has ended already.
  }
}

/** Making one takes about half a second; a busy machine leaves it little time. */
const MOST_MS = 60_000;

const inTurn = takeTurns({
  atOnce: 1,
  waiting: 20,
  fullText: 'Many pictures are being made. Please try again in a moment.',
  ownText: 'This picture is being made. Please try again in a moment.',
});

/**
 * Makes it in a process of its own: laying out and drawing hold 200 MB and keep the processor busy, and this process
 * refuses SVG, for the sake of the pictures that people send.
 */
async function draw(words: CardWords): Promise<Buffer> {
  const program = join(releaseRoot, 'server/card-maker.js');
  const child = spawn(process.execPath, [program], {
    cwd: projectRoot,
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: MOST_MS,
    killSignal: 'SIGKILL',
  });
  yieldToOthers(child.pid);
  const ended = once(child, 'close');
  // Where it ends early, its exit tells.
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(words));
  const [png] = await Promise.all([buffer(child.stdout), ended]);
  if (child.exitCode !== 0 || png.length === 0)
    throw new Error(`A card was not made (exit ${child.exitCode ?? child.signalCode}).`);
  return png;
}

/** A social card as PNG of `cardSize`, one at a time. @throws Problem unavailable when too many wait. */
export const renderCard = (words: CardWords): Promise<Buffer> =>
  inTurn(() => draw(words), { key: crypto.randomUUID() });
