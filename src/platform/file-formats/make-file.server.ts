import { locale, m } from '#messages';
import { runProgram } from '../child-program.server.ts';
import { createFairQueue } from '../fair-queue.server.ts';
import { Problem } from '../http/problem.server.ts';
import { traced } from '../tracing/tracing.server.ts';
import { EXIT_REFUSED, type FileRefusal } from './file-maker-protocol.ts';
import { UnprintableText } from './font-set.server.ts';

/** Moderate, because somebody is waiting for the file. */
const NICENESS = 5;
const HEAP_MIB = 512;

const queue = createFairQueue({
  concurrency: 1,
  maxWaiting: 20,
  waitMs: 30_000,
  fullMessage: m.files_busy,
  busyMessage: m.files_own_busy,
});

function refuse(bytes: Buffer): never {
  const refusal = JSON.parse(bytes.toString()) as FileRefusal;
  if ('signs' in refusal) throw new UnprintableText(refusal.signs);
  throw new Problem('bad_request', m.export_too_many_pages(refusal));
}

async function runFileMaker(task: object): Promise<Buffer<ArrayBuffer>> {
  const options = { niceness: NICENESS, args: [`--max-old-space-size=${HEAP_MIB}`] };
  const { child, output } = await runProgram('file-maker', { ...task, language: locale() }, options);
  if (child.exitCode === 0) return Buffer.from(output);
  if (child.exitCode === EXIT_REFUSED) refuse(output);
  // It ran out of time or memory.
  if (child.signalCode === 'SIGKILL' || child.signalCode === 'SIGABRT')
    throw new Problem('too_large', m.file_too_much());
  throw new Error(`A file was not made (exit ${child.exitCode ?? child.signalCode}).`);
}

/**
 * Layout keeps a CPU busy for seconds, so another process does it; one file at a time for each `key`.
 * @throws UnprintableText; Problem bad_request with the maker's message, too_large, rate_limited, unavailable.
 */
export const makeFile = (task: { kind: string }, key: string): Promise<Buffer<ArrayBuffer>> =>
  traced('make file', { attributes: { 'site.file.kind': task.kind } }, () =>
    queue(() => runFileMaker(task), { key }),
  );
