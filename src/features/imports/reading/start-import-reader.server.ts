import { open } from 'node:fs/promises';
import process from 'node:process';
import { startProcess } from '#platform/document-reader/reader-process.server.ts';
import { log } from '#platform/log.server.ts';
import type { ImportFailure } from '../contract.ts';
import type { ImportLine, ImportTask } from './import-protocol.ts';

/** Bytes of a line: the texts of a chat, with up to six bytes per character in JSON, or a file of 10 MiB. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

export class UnreadableImport extends Error {
  readonly failure: ImportFailure;
  constructor(failure: ImportFailure) {
    super(`The import cannot be read: ${failure}.`);
    this.name = 'UnreadableImport';
    this.failure = failure;
  }
}

async function* linesOf(output: AsyncIterable<Buffer>): AsyncGenerator<ImportLine> {
  let pending: Buffer[] = [];
  let bytes = 0;
  for await (const part of output) {
    let from = 0;
    for (let end = part.indexOf(10); end >= 0; end = part.indexOf(10, from)) {
      yield JSON.parse(Buffer.concat([...pending, part.subarray(from, end)]).toString()) as ImportLine;
      pending = [];
      bytes = 0;
      from = end + 1;
    }
    pending.push(part.subarray(from));
    bytes += part.length - from;
    if (bytes > MAX_LINE_BYTES) throw new UnreadableImport('too_complex');
  }
}

/**
 * Yields the contents of a file from a sandboxed process, which waits while nobody reads its lines. Ending the
 * iteration kills it.
 * @throws UnreadableImport
 */
export async function* readImport(path: string, bytes: number): AsyncGenerator<ImportLine> {
  const file = await open(path);
  try {
    const task: ImportTask = { bytes };
    const child = startProcess(task, [file.fd, 'pipe', 'ignore'], process.platform, 'import-reader');
    const { stdout } = child;
    if (!stdout) throw new Error('The reader of imports has no output.');
    const ended = new Promise<string>((done, fail) => {
      child.once('error', fail);
      child.once('close', (code, signal) => done(String(code ?? signal)));
    });
    // Prevents an unhandled rejection; `ended` is only awaited if nothing failed before.
    ended.catch(() => undefined);
    let last: ImportLine | undefined;
    try {
      for await (const line of linesOf(stdout)) {
        last = line;
        if ('failed' in line) throw new UnreadableImport(line.failed);
        yield line;
      }
      if (last && 'end' in last) return;
      const exit = await ended;
      if (!last) throw new Error(`The reader of imports ended before its work: ${exit}.`);
      log.warn({ exit }, 'an imported file exceeded its limits');
      throw new UnreadableImport('too_complex');
    } finally {
      child.kill('SIGKILL');
    }
  } finally {
    await file.close();
  }
}
