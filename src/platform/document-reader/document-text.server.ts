import { open } from 'node:fs/promises';
import process from 'node:process';
import type { Readable } from 'node:stream';
import { m } from '#messages';
import { limitWork } from '../child-program.server.ts';
import { createFairQueue } from '../fair-queue.server.ts';
import { Problem } from '../http/problem.server.ts';
import { log } from '../log.server.ts';
import { traced } from '../tracing/tracing.server.ts';
import { startReader } from './reader-process.server.ts';
import type { Layout, ReaderLine, Unpaged } from './reader-protocol.ts';

export interface PdfText {
  pages: number;
  pagesRead: number;
  text: Array<{ page: number; text: string; layout?: Layout }>;
  emptyPages: number[];
  brokenPages: number[];
}

export type ReadFailure =
  | 'not_pdf'
  | 'encrypted'
  | 'wrong_password'
  | 'no_text'
  | 'scanned'
  | 'damaged'
  /** It needs more memory than allowed, or a page never ends. */
  | 'too_complex'
  | 'timeout';

export class UnreadableDocument extends Error {
  readonly failure: ReadFailure;
  constructor(failure: ReadFailure) {
    super(`The document cannot be read: ${failure}.`);
    this.name = 'UnreadableDocument';
    this.failure = failure;
  }
}

export interface PdfOptions {
  key: string;
  pages?: number;
  characters?: number;
  /** Milliseconds that the reading process may work (`limitWork`). */
  ms?: number;
  layout?: boolean;
  /** Never stored or logged. */
  password?: string;
  onPage?: (page: number, pageCount: number) => void;
  signal?: AbortSignal;
}

/** Limit for the reader's output in bytes: two million characters of up to six bytes each in JSON, and positions. */
const MAX_OUTPUT_BYTES = 24 * 1024 * 1024;
/** A page with a scan and fewer characters than this counts as a scan with a stamp. */
const STAMP_CHARACTERS = 20;

const queue = createFairQueue({
  concurrency: 2,
  maxWaiting: 20,
  waitMs: 12_000,
  // Three rounds of slow documents fit into the wait. An ordinary document takes 0.5 s, on a busy machine 2 s.
  turnMs: 3_000,
  fullMessage: m.documents_busy,
  busyMessage: m.documents_own_busy,
});

/** APPNOTE 4.3.7 */
export const isArchive = (head: Buffer): boolean => head.subarray(0, 4).toString('latin1') === 'PK\x03\x04';

/** The format of Office programs before 2007, and of files that newer ones encrypt ([MS-CFB] 2.2). */
export const isLockedOffice = (head: Buffer): boolean =>
  head.subarray(0, 8).toString('hex') === 'd0cf11e0a1b11ae1';

export function isPdf(head: Buffer): boolean {
  return head.subarray(0, 1024).includes('%PDF-');
}

async function collectLines(output: Readable, onPage?: PdfOptions['onPage']): Promise<ReaderLine[]> {
  const lines: ReaderLine[] = [];
  let pending: Buffer[] = [];
  let bytes = 0;
  let pageCount = 0;
  for await (const part of output as AsyncIterable<Buffer>) {
    bytes += part.length;
    let from = 0;
    for (let end = part.indexOf(10); end >= 0; end = part.indexOf(10, from)) {
      const line = JSON.parse(Buffer.concat([...pending, part.subarray(from, end)]).toString()) as ReaderLine;
      pending = [];
      from = end + 1;
      lines.push(line);
      if ('pages' in line) pageCount = line.pages;
      else if ('page' in line) onPage?.(line.page, pageCount);
    }
    pending.push(part.subarray(from));
    if (bytes > MAX_OUTPUT_BYTES) break;
  }
  return lines;
}

const countCharacters = (text: string) => text.replace(/\s+/g, '').length;

function toPdfText(lines: ReaderLine[]): PdfText {
  const result: PdfText = { pages: 0, pagesRead: 0, text: [], emptyPages: [], brokenPages: [] };
  let scans = false;
  for (const line of lines) {
    if ('pages' in line) {
      result.pages = line.pages;
      scans = line.scans;
    } else if ('page' in line) {
      result.pagesRead = line.page;
      if ('broken' in line) result.brokenPages.push(line.page);
      else if (countCharacters(line.text) === 0) result.emptyPages.push(line.page);
      else
        result.text.push({
          page: line.page,
          text: line.text,
          layout: 'layout' in line ? line.layout : undefined,
        });
    }
  }
  if (result.pagesRead === result.brokenPages.length) throw new UnreadableDocument('damaged');
  if (scans && result.text.every(({ text }) => countCharacters(text) < STAMP_CHARACTERS))
    throw new UnreadableDocument('scanned');
  if (result.text.length === 0) throw new UnreadableDocument('no_text');
  return result;
}

type Bounds = Required<Omit<PdfOptions, 'key' | 'onPage' | 'password'>> & {
  format: Unpaged | undefined;
  password: string | undefined;
  expired: AbortSignal;
  onPage: PdfOptions['onPage'];
};

async function readFrom(
  input: number,
  { pages, characters, layout, format, ms, signal, expired, password, onPage }: Bounds,
) {
  const child = startReader(input, { pages, characters, layout, format }, process.platform, password);
  let timedOut = false;
  const limit = limitWork(child, ms, () => {
    timedOut = true;
  });
  const kill = () => child.kill('SIGKILL');
  const stopSignal = AbortSignal.any([signal, expired]);
  stopSignal.addEventListener('abort', kill);
  if (stopSignal.aborted) kill();
  const ended = new Promise<{ code: number | null; killedBy: string | null }>((done, fail) => {
    child.once('error', fail);
    child.once('close', (code, killedBy) => done({ code, killedBy }));
  });
  try {
    const [{ code, killedBy }, lines] = await Promise.all([
      ended,
      collectLines(child.stdout, onPage).finally(kill),
    ]);
    const last = lines.at(-1);
    if (last && 'failed' in last) throw new UnreadableDocument(last.failed);
    if (last && 'end' in last) return lines;
    if (signal.aborted) throw new Problem('bad_request', m.request_cut_off());
    expired.throwIfAborted();
    if (timedOut) throw new UnreadableDocument('timeout');
    if (lines.length === 0)
      throw new Error(`The reader of documents ended before its work: ${code ?? killedBy}.`);
    log.warn({ exit: code, signal: killedBy }, 'a document exceeded its limits');
    throw new UnreadableDocument('too_complex');
  } finally {
    limit.end();
    stopSignal.removeEventListener('abort', kill);
  }
}

const neverAborted = new AbortController().signal;

/** Reads two documents at a time, one per person, while 20 wait. When others wait, one gives way after 3 s. */
function readInTurn<T>(
  path: string,
  options: PdfOptions & { format?: Unpaged },
  convert: (lines: ReaderLine[]) => T,
): Promise<T> {
  const {
    key,
    pages = 300,
    characters = 2_000_000,
    ms = 20_000,
    signal = neverAborted,
    layout = false,
    format,
    password,
    onPage,
  } = options;
  const work = async (expired: AbortSignal) => {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(1024), 0, 1024, 0);
      if (!format && !isPdf(buffer.subarray(0, bytesRead))) throw new UnreadableDocument('not_pdf');
      const bounds = { pages, characters, layout, format, ms, signal, expired, password, onPage };
      return await readFrom(file.fd, bounds);
    } finally {
      await file.close();
    }
  };
  return traced('read document', {}, async (span) => {
    const lines = await queue(work, { key, signal });
    const result = convert(lines);
    for (const line of lines) if ('pages' in line) span.set({ 'site.document.pages': line.pages });
    return result;
  });
}

/** @throws UnreadableDocument, or Problem rate_limited or unavailable */
export const readPdfText = (path: string, options: PdfOptions): Promise<PdfText> =>
  readInTurn(path, options, toPdfText);

export interface UnpagedOptions extends Pick<PdfOptions, 'key' | 'ms' | 'signal'> {
  format: Unpaged;
  /** Limit in UTF-16 units. */
  characters: number;
}

/** Reads a document without pages. @throws as `readPdfText` */
export const readUnpaged = (path: string, options: UnpagedOptions): Promise<ReaderLine[]> =>
  readInTurn(path, options, (lines) => lines);
