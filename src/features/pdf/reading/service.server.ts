import { v7 as uuid } from 'uuid';
import { database, transaction } from '../../../platform/database/database.server.ts';
import { fileKey, keepFile, removeFile } from '../../../platform/files/files.server.ts';
import type { Upload } from '../../../platform/files/upload.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { Problem, signInFirst } from '../../../platform/http/problem.server.ts';
import { enforceLimit } from '../../../platform/http/rate-limit.server.ts';
import {
  isPdf,
  PdfError,
  type PdfFailure,
  type PdfText,
  readPdfText,
} from '../../../platform/pdf/pdf-text.server.ts';
import { cleanFileName } from '../../../shared/file-name.ts';
import type { ProblemCode } from '../../../shared/problems.ts';
import { countWords } from '../../../shared/words.ts';
import { type DocumentView, documentLimits, documentTexts } from '../contract.ts';
import { openDocument, provePlan } from '../service.server.ts';
import { insertDocument, type PageRecord, roomOf } from '../store.server.ts';

/** Kind of the stored files. */
export const KIND = 'document';
const UPLOADS = { max: 30, seconds: 3600 };
/** Of all documents of a person. */
const QUOTA = { bytes: 1024 ** 3, documents: 200 };
const TIME_MS = 20_000;
const NAMED_PAGES = 6;

const texts = {
  tooOften: 'You have uploaded many files in the last hour. Please wait a while.',
  quota: 'You keep as many PDFs as there is room for. Please delete some first.',
  busy: 'Your other file is still being read. Please wait a moment.',
};

const failureTexts: Record<PdfFailure, string> = {
  not_pdf: documentTexts.wrongType.text,
  encrypted: documentTexts.locked,
  wrong_password: documentTexts.wrongPassword,
  no_text: 'This PDF has no text that can be read.',
  scanned: 'This PDF has no text layer, only pictures of its pages. Please upload one with text.',
  damaged: 'This PDF cannot be read. It may be damaged.',
  too_complex: 'This PDF is too complex to be read. Please upload a simpler or shorter one.',
  timeout: 'Reading this PDF takes too long. Please upload a simpler or shorter one.',
};

const tooShort = (words: number) =>
  `This PDF has only ${words} ${words === 1 ? 'word' : 'words'} of text. Please upload one with at least ${documentLimits.leastWords}.`;

const failureCodes: Partial<Record<PdfFailure, ProblemCode>> = {
  encrypted: 'password_needed',
  wrong_password: 'password_wrong',
};

const uploading = new Set<string>();

/**
 * Counts an upload and runs it, one of a person at a time.
 * @throws Problem plan_required before anything else; rate_limited; too_large when the person's files take all room.
 */
export async function inDocumentUpload<T>(
  { actor }: { actor: UserActor },
  upload: () => Promise<T>,
): Promise<T> {
  await provePlan(actor);
  const { userId } = actor;
  if (uploading.has(userId)) throw new Problem('rate_limited', texts.busy, { retryAfter: 5 });
  uploading.add(userId);
  try {
    await enforceLimit(`documents:${userId}`, UPLOADS, texts.tooOften);
    const { bytes, documents } = await roomOf(database(), userId);
    if (bytes >= QUOTA.bytes || documents >= QUOTA.documents) throw new Problem('too_large', texts.quota);
    return await upload();
  } finally {
    uploading.delete(userId);
  }
}

function listed(pages: number[], one: string, many: string): string[] {
  if (pages.length === 0) return [];
  if (pages.length === 1) return [`Page ${pages[0]} ${one}.`];
  if (pages.length === pages.at(-1)! - pages[0]! + 1)
    return [`Pages ${pages[0]} to ${pages.at(-1)} ${many}.`];
  if (pages.length > NAMED_PAGES) return [`${pages.length} pages ${many}.`];
  return [`Pages ${pages.slice(0, -1).join(', ')} and ${pages.at(-1)} ${many}.`];
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** What of a document is not worked with, in words; null when all is. */
function noteOf(pdf: PdfText): string | null {
  const rest =
    pdf.pagesRead < pdf.pages
      ? listed(numbers(pdf.pagesRead + 1, pdf.pages), 'was not read', 'were not read')
      : [];
  const hidden = pdf.text.filter(({ layout }) => layout?.hidden).map(({ page }) => page);
  const scanned = pdf.text.filter(({ layout }) => layout?.overPicture).map(({ page }) => page);
  const note = [
    ...rest,
    ...listed(pdf.emptyPages, 'has no text', 'have no text'),
    ...listed(pdf.brokenPages, 'cannot be read', 'cannot be read'),
    ...listed(
      hidden,
      'holds text that nobody sees; it is left out',
      'hold text that nobody sees; it is left out',
    ),
    ...listed(
      scanned,
      'is a scan; its text was recognised by a program',
      'are scans; their text was recognised by a program',
    ),
  ].join(' ');
  return note || null;
}

const cleanPage = (text: string) => text.replaceAll('\0', '').toWellFormed();

function pagesOf(pdf: PdfText): PageRecord[] {
  return pdf.text.map(({ page, text, layout }) => {
    if (!layout) throw new Error('A page was read without its layout.');
    const { width, height, boxes } = layout;
    return { page, width, height, text: cleanPage(text), boxes };
  });
}

async function read(
  upload: Upload,
  reading: { key: string; signal: AbortSignal; password: string | undefined; onPage: Hear },
): Promise<PdfText> {
  if (upload.bytes === 0 || !isPdf(upload.head))
    throw new Problem('unsupported_type', documentTexts.wrongType.text);
  try {
    return await readPdfText(upload.path, {
      pages: documentLimits.pages,
      ms: TIME_MS,
      layout: true,
      ...reading,
    });
  } catch (error) {
    if (error instanceof PdfError)
      throw new Problem(failureCodes[error.failure] ?? 'bad_request', failureTexts[error.failure]);
    throw error;
  }
}

type Hear = (page: number, of: number) => void;

/**
 * Reads a PDF and keeps it with its text and the place of each word. The file is written before its rows, so that a
 * crash leaves a file only, which is swept. Costs nothing.
 * @throws Problem unsupported_type, password_needed, password_wrong, bad_request that says why it cannot be read, rate_limited, unavailable.
 */
export async function addDocument({
  actor,
  input,
}: {
  actor: UserActor;
  /** `password` opens a protected file and is not kept. */
  input: { name: string; upload: Upload; signal: AbortSignal; password?: string; onPage: Hear };
}): Promise<DocumentView> {
  const { upload, signal, password, onPage } = input;
  const pdf = await read(upload, { key: actor.userId, signal, password, onPage });
  const words = pdf.text.reduce((sum, { text }) => sum + countWords(text), 0);
  if (words < documentLimits.leastWords) throw new Problem('bad_request', tooShort(words));
  const file_key = await keepFile(KIND, upload.path);
  const row = {
    id: uuid(),
    user_id: actor.userId,
    name: cleanFileName(input.name),
    bytes: upload.bytes,
    file_key,
    pages: pdf.pages,
    pages_read: pdf.pagesRead,
    note: noteOf(pdf),
  };
  try {
    const written = await transaction((tx) => insertDocument(tx, row, pagesOf(pdf)));
    if (!written) throw signInFirst();
  } catch (error) {
    await removeFile(fileKey(file_key));
    throw error;
  }
  return openDocument({ actor, input: { id: row.id } });
}
