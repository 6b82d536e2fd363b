import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { projectRoot, releaseRoot } from '../config/root.server.ts';
import { Problem } from '../http/problem.server.ts';
import { takeTurns } from '../turns/turns.server.ts';
import { UnprintableText } from './fonts.server.ts';
import { REFUSED, type Refusal } from './job.ts';

/** Pages and conversations come first, but somebody waits for the file too. */
const NICENESS = 5;
/**
 * A long text takes about three seconds on an idle machine, the worst that was found eight; what takes this long or
 * needs more memory was written to do so.
 */
const MOST_MS = 60_000;
const HEAP_MIB = 512;

const inTurn = takeTurns({
  atOnce: 1,
  waiting: 20,
  waitMs: 30_000,
  fullText: 'Many files are being made. Please try again in a moment.',
  ownText: 'Another file of yours is being made. Please try again in a moment.',
});

function yieldToOthers(pid: number | undefined): void {
  try {
    if (pid) setPriority(pid, NICENESS);
  } catch {
    // It has ended already.
  }
}

function refuse(bytes: Buffer): never {
  const refusal = JSON.parse(bytes.toString()) as Refusal;
  throw 'signs' in refusal ? new UnprintableText(refusal.signs) : new Problem('bad_request', refusal.text);
}

async function make(job: object): Promise<Buffer<ArrayBuffer>> {
  const program = join(releaseRoot, 'server/file-maker.js');
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MIB}`, program], {
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
  child.stdin.end(JSON.stringify(job));
  const [bytes] = await Promise.all([buffer(child.stdout), ended]);
  if (child.exitCode === 0) return Buffer.from(bytes);
  if (child.exitCode === REFUSED) refuse(bytes);
  // Its time or its memory ran out.
  if (child.signalCode === 'SIGKILL' || child.signalCode === 'SIGABRT')
    throw new Problem('too_large', 'This text is too much for this format. Please export it in another one.');
  throw new Error(`A file was not made (exit ${child.exitCode ?? child.signalCode}).`);
}

/**
 * A file of a job that the process `file-maker` knows, made there: setting pages keeps a processor busy for seconds.
 * @param key the person that it is for; one file at a time each, and one in this process.
 * @throws UnprintableText; Problem bad_request in words of the maker, too_large, rate_limited, unavailable.
 */
export const makeFile = (job: { kind: string }, key: string): Promise<Buffer<ArrayBuffer>> =>
  inTurn(() => make(job), { key });
