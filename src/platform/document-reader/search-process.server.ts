import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { m } from '#messages';
import { createFairQueue } from '../fair-queue.server.ts';
import { UnreadableDocument } from './document-text.server.ts';
import { startProcess } from './reader-process.server.ts';
import type { SearchAnswer, SearchRequest } from './reader-protocol.ts';

const SEARCH_MS = 20_000;
/** Work after which a process is replaced, well before its limit of 60 s of CPU time. */
const WORK_MS = 20_000;
const IDLE_MS = 60_000;

const queue = createFairQueue({
  concurrency: 2,
  maxWaiting: 50,
  waitMs: 60_000,
  fullMessage: m.document_search_busy,
  busyMessage: m.document_search_busy,
});

interface SearchProcess {
  child: ChildProcess;
  workedMs: number;
  idle?: NodeJS.Timeout;
}

/** Kept for reuse, because starting one takes longer than most searches. */
const ready = new Set<SearchProcess>();

function start(): SearchProcess {
  const child = startProcess({ search: true }, ['ignore', 'ignore', 'ignore', 'ipc']);
  const started = { child, workedMs: 0 };
  // A running search notices errors on its own.
  child.on('error', () => undefined);
  child.once('exit', () => ready.delete(started));
  child.unref();
  child.channel?.unref();
  return started;
}

function acquire(): SearchProcess {
  for (const next of ready) {
    ready.delete(next);
    clearTimeout(next.idle);
    if (next.child.connected) return next;
  }
  return start();
}

function release(process: SearchProcess): void {
  const { child } = process;
  if (process.workedMs > WORK_MS || !child.connected) return void child.kill('SIGKILL');
  process.idle = setTimeout(() => child.kill('SIGKILL'), IDLE_MS).unref();
  ready.add(process);
}

async function runSearch(
  process: SearchProcess,
  request: SearchRequest,
  { signal, ms }: { signal: AbortSignal; ms: number },
): Promise<SearchAnswer> {
  const { child } = process;
  const ended = new AbortController();
  const onExit = () => ended.abort(new UnreadableDocument('too_complex'));
  const timer = setTimeout(() => ended.abort(new UnreadableDocument('timeout')), ms);
  const cancelled = AbortSignal.any([signal, ended.signal]);
  const startedAt = performance.now();
  try {
    const response = once(child, 'message', { signal: cancelled });
    child.once('exit', onExit);
    child.send(request, (error) => error && onExit());
    return (await response)[0] as SearchAnswer;
  } catch (error) {
    child.kill('SIGKILL');
    cancelled.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    child.off('exit', onExit);
    process.workedMs += performance.now() - startedAt;
  }
}

/**
 * Runs two searches at a time in this process, one per `key`, while 50 wait.
 * @throws UnreadableDocument timeout, too_complex; Problem unavailable when too many wait; the reason of `signal`.
 */
export function searchPages(
  request: SearchRequest,
  { key, signal, ms = SEARCH_MS }: { key: string; signal: AbortSignal; ms?: number },
): Promise<SearchAnswer> {
  const work = async () => {
    const process = acquire();
    const answer = await runSearch(process, request, { signal, ms });
    release(process);
    return answer;
  };
  return queue(work, { key, signal });
}
