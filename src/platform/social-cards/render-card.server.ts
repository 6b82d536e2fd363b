import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { m } from '#messages';
import { projectRoot, releaseRoot } from '../config/project-root.server.ts';
import { createFairQueue } from '../fair-queue.server.ts';
import type { CardContent } from './card-content.ts';

/** Pages and conversations come first. */
const NICENESS = 10;

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid) setPriority(pid, NICENESS);
  } catch {
    // It has ended already.
  }
}

/** Making one takes about half a second; a busy machine leaves it little time. */
const TIMEOUT_MS = 60_000;

const queue = createFairQueue({
  atOnce: 1,
  waiting: 20,
  fullText: m.cards_busy,
  ownText: m.cards_busy,
});

/** In another process: drawing holds 200 MB, and this one refuses SVG, for the sake of the pictures that people send. */
async function draw(words: CardContent): Promise<Buffer> {
  const program = join(releaseRoot, 'server/card-maker.js');
  const child = spawn(process.execPath, [program], {
    cwd: projectRoot,
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  lowerPriority(child.pid);
  const ended = once(child, 'close');
  // Where it ends early, its exit tells.
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(words));
  const [png] = await Promise.all([buffer(child.stdout), ended]);
  if (child.exitCode !== 0 || png.length === 0)
    throw new Error(`A card was not made (exit ${child.exitCode ?? child.signalCode}).`);
  return png;
}

export const renderCard = (words: CardContent): Promise<Buffer> =>
  queue(() => draw(words), { key: crypto.randomUUID() });
