import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { locale, m } from '#messages';
import { projectRoot, releaseRoot } from '../config/project-root.server.ts';
import { createFairQueue } from '../fair-queue.server.ts';
import { Problem } from '../http/problem.server.ts';
import { EXIT_REFUSED, type FileRefusal } from './file-maker-protocol.ts';
import { UnprintableText } from './font-set.server.ts';

/** Pages and conversations come first, but somebody waits for the file too. */
const NICENESS = 5;
/** A long text takes about three seconds on an idle machine, the worst that was found eight. */
const TIMEOUT_MS = 60_000;
const HEAP_MIB = 512;

const queue = createFairQueue({
  atOnce: 1,
  waiting: 20,
  waitMs: 30_000,
  fullText: m.files_busy,
  ownText: m.files_own_busy,
});

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid) setPriority(pid, NICENESS);
  } catch {
    // It has ended already.
  }
}

function refuse(bytes: Buffer): never {
  const refusal = JSON.parse(bytes.toString()) as FileRefusal;
  if ('signs' in refusal) throw new UnprintableText(refusal.signs);
  throw new Problem('bad_request', m.export_too_many_pages(refusal));
}

async function make(task: object): Promise<Buffer<ArrayBuffer>> {
  const program = join(releaseRoot, 'server/file-maker.js');
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MIB}`, program], {
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
  child.stdin.end(JSON.stringify({ ...task, language: locale() }));
  const [bytes] = await Promise.all([buffer(child.stdout), ended]);
  if (child.exitCode === 0) return Buffer.from(bytes);
  if (child.exitCode === EXIT_REFUSED) refuse(bytes);
  // Its time or its memory ran out.
  if (child.signalCode === 'SIGKILL' || child.signalCode === 'SIGABRT')
    throw new Problem('too_large', m.file_too_much());
  throw new Error(`A file was not made (exit ${child.exitCode ?? child.signalCode}).`);
}

/**
 * Setting pages keeps a processor busy for seconds, so another process does it; one file at a time for each `key`.
 * @throws UnprintableText; Problem bad_request in words of the maker, too_large, rate_limited, unavailable.
 */
export const makeFile = (task: { kind: string }, key: string): Promise<Buffer<ArrayBuffer>> =>
  queue(() => make(task), { key });
