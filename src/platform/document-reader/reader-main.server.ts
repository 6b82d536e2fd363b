/** `reader-process.server.ts` starts this with a memory limit, without permissions and without an environment. */
import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type * as Pdfjs from 'pdfjs-dist';
import { ZipFault } from '../zip-entries.server.ts';
import { readGlyphs } from './glyphs.ts';
import { entriesWithinBounds, inflatesWithinBounds, mayContainScans } from './inflate-limits.server.ts';
import { linesOf, pageOf, type Word, wordsOf } from './layout-analysis.ts';
import { rankPassages } from './rank-passages.server.ts';
import {
  type HeicLine,
  type HeicTask,
  type Layout,
  PAGE_CHARACTERS,
  type ReaderLine,
  type ReaderTask,
  type SearchAnswer,
  type SearchRequest,
  type SearchTask,
} from './reader-protocol.ts';
import { TextSearch } from './text-search.server.ts';

class TooComplex extends Error {}

const write = (line: ReaderLine | HeicLine): void => writeBytes(Buffer.from(`${JSON.stringify(line)}\n`));

function writeBytes(bytes: Buffer): void {
  // Synchronous, so that pages that were read are reported even if a limit then kills the process.
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if ((error as { code?: string }).code !== 'EAGAIN') throw error;
    }
  }
}

/** Without a worker thread, because the whole process is the sandbox. */
async function loadPdfjs(library: string): Promise<typeof Pdfjs> {
  const from = (name: string) => pathToFileURL(join(library, 'legacy/build', name)).href;
  const worker: unknown = await import(/* @vite-ignore */ from('pdf.worker.min.mjs'));
  Object.assign(globalThis, { pdfjsWorker: worker });
  return import(/* @vite-ignore */ from('pdf.min.mjs')) as Promise<typeof Pdfjs>;
}

async function readText(page: Pdfjs.PDFPageProxy): Promise<string> {
  const reader = page.streamTextContent().getReader() as ReadableStreamDefaultReader<{
    items: Array<{ str?: string; hasEOL?: boolean }>;
  }>;
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    for (const { str = '', hasEOL } of value.items) text += hasEOL ? `${str}\n` : str;
    if (text.length > PAGE_CHARACTERS) throw new TooComplex();
  }
}

let pictures = 0;
/** On a page with a picture and fewer visible characters than this, hidden text counts as what the picture shows. */
const STAMP_CHARACTERS = 20;
const HIDDEN_CHARACTERS = 2_000;

const countCharacters = (words: Word[]) => words.reduce((sum, { text }) => sum + text.length, 0);

/** Leaves out invisible text, unless it lies over a scan. */
async function readLayout(
  pdfjs: typeof Pdfjs,
  page: Pdfjs.PDFPageProxy,
): Promise<{ text: string; layout: Layout }> {
  const found = await readGlyphs(pdfjs, page, { images: () => pictures, maxGlyphs: PAGE_CHARACTERS });
  if (!found) throw new TooComplex();
  const words = wordsOf(found.glyphs);
  const [hidden, visible] = [words.filter((word) => word.hidden), words.filter((word) => !word.hidden)];
  const overPicture = found.images && countCharacters(visible) < STAMP_CHARACTERS && hidden.length > 0;
  const { text, boxes } = pageOf(linesOf(overPicture ? words : visible));
  const { width, height } = page.getViewport({ scale: 1 });
  const hiddenText = overPicture ? '' : hidden.map((word) => word.text).join(' ');
  return {
    text,
    layout: { width, height, boxes, hidden: hiddenText.slice(0, HIDDEN_CHARACTERS), overPicture },
  };
}

type PageContent = { text: string; layout?: Layout };

async function readPage(
  pdfjs: typeof Pdfjs,
  pdf: Pdfjs.PDFDocumentProxy,
  page: number,
  layout: boolean,
): Promise<PageContent | null> {
  try {
    const proxy = await pdf.getPage(page);
    const content = layout ? await readLayout(pdfjs, proxy) : { text: await readText(proxy) };
    proxy.cleanup();
    return content;
  } catch (error) {
    if (error instanceof TooComplex) throw error;
    return null;
  }
}

async function readAll(pdfjs: typeof Pdfjs, pdf: Pdfjs.PDFDocumentProxy, task: ReaderTask): Promise<void> {
  let characters = 0;
  for (let page = 1; page <= Math.min(pdf.numPages, task.pages); page++) {
    const content = await readPage(pdfjs, pdf, page, task.layout ?? false);
    write(content === null ? { page, broken: true } : { page, ...content });
    characters += content?.text.length ?? 0;
    if (characters > task.characters) break;
  }
  write({ end: true });
}

const WRONG_PASSWORD = 2;

type Failure = Extract<ReaderLine, { failed: unknown }>['failed'];

function failureOf(error: unknown): Failure {
  if (error instanceof TooComplex) return 'too_complex';
  const { name, code } = error as { name?: string; code?: unknown };
  if (name !== 'PasswordException') return 'damaged';
  return code === WRONG_PASSWORD ? 'wrong_password' : 'encrypted';
}

async function readFormat(bytes: Buffer, { format, characters }: ReaderTask): Promise<ReaderLine | null> {
  if (format === 'xlsx') {
    const { readWorkbook } = await import('./workbook-text.server.ts');
    const workbook = await readWorkbook(bytes, characters);
    return workbook && { workbook };
  }
  if (format === 'epub') {
    const { readBook } = await import('./book-text.server.ts');
    const book = await readBook(bytes, characters);
    return book === 'protected' ? { failed: 'encrypted' } : book && { book };
  }
  if (!(await entriesWithinBounds(bytes))) return { failed: 'too_complex' };
  const { readDocx } = await import('./docx-text.ts');
  const result = await readDocx(bytes);
  if (!result) return null;
  const { text, images } = result;
  return { document: { text: text.slice(0, characters), more: text.length > characters, images } };
}

const zipFailures: Partial<Record<ZipFault['failure'], Failure>> = {
  encrypted: 'encrypted',
  too_large: 'too_complex',
  too_many: 'too_complex',
};

async function readUnpaged(task: ReaderTask): Promise<void> {
  try {
    const line = await readFormat(await buffer(process.stdin), task);
    write(line ?? { failed: 'damaged' });
    if (line && !('failed' in line)) write({ end: true });
  } catch (error) {
    if (!(error instanceof ZipFault)) throw error;
    write({ failed: zipFailures[error.failure] ?? 'damaged' });
  }
}

async function readDocument(task: ReaderTask): Promise<void> {
  if (task.format) {
    write({ ready: true });
    return readUnpaged(task);
  }
  // The library logs warnings to standard output, which carries the lines.
  const onMessage = (message: unknown) => {
    if (String(message).includes('Image exceeded maximum allowed size')) pictures++;
  };
  Object.assign(console, { log: onMessage, warn: onMessage, info() {}, error() {} });
  const pdfjs = await loadPdfjs(task.library);
  write({ ready: true });
  const password = task.passwordFrom === undefined ? undefined : readFileSync(task.passwordFrom, 'utf8');
  const bytes = await buffer(process.stdin);
  // Without this check the library would search the file byte by byte.
  if (!bytes.includes('obj')) return write({ failed: 'damaged' });
  if (!(await inflatesWithinBounds(bytes))) return write({ failed: 'too_complex' });
  const scans = mayContainScans(bytes);
  try {
    const pdf = await pdfjs.getDocument({
      data: new Uint8Array(bytes),
      password,
      verbosity: task.layout ? pdfjs.VerbosityLevel.WARNINGS : pdfjs.VerbosityLevel.ERRORS,
      // Pictures are not decoded: only their presence matters.
      maxImageSize: task.layout ? 0 : -1,
      disableFontFace: true,
      enableXfa: false,
      useSystemFonts: false,
      useWorkerFetch: false,
      isOffscreenCanvasSupported: false,
      isImageDecoderSupported: false,
      cMapUrl: `${join(task.library, 'cmaps')}/`,
      cMapPacked: true,
      standardFontDataUrl: `${join(task.library, 'standard_fonts')}/`,
    }).promise;
    write({ pages: pdf.numPages, scans });
    await readAll(pdfjs, pdf, task);
  } catch (error) {
    write({ failed: failureOf(error) });
  }
}

function runSearch({ pages, find = [], count = [], rank }: SearchRequest): SearchAnswer {
  const search = new TextSearch(find.length + count.length > 0 ? pages : []);
  return {
    found: find.map(({ words, page }) => search.find(words, page)),
    counted: count.map((words) => search.count(words)),
    passages: rank ? rankPassages(pages, rank) : [],
  };
}

async function readPicture({ library }: HeicTask): Promise<void> {
  // The library logs errors to standard output, which carries the pixels.
  Object.assign(console, { log() {}, warn() {}, info() {}, error() {} });
  const { decodeHeic } = await import('./heic-pixels.ts');
  const picture = await decodeHeic(library, await buffer(process.stdin)).catch(() => null);
  if (!picture) return write({ failed: true });
  const { width, height } = picture;
  const decoded = 'pixels' in picture;
  write({ width, height, decoded });
  if (decoded) writeBytes(picture.pixels);
}

const task = JSON.parse(process.argv[2] ?? '') as ReaderTask | SearchTask | HeicTask;
if ('search' in task) {
  // The process ends when its channel to the parent closes.
  process.on('message', (request: SearchRequest) => process.send?.(runSearch(request)));
} else {
  await ('heic' in task ? readPicture(task) : readDocument(task));
  // Open handles of the library must not keep the process alive.
  process.exit(0);
}
