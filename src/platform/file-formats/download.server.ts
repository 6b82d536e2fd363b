import { locale, m } from '#messages';
import { cleanFileName } from '#shared/file-name.ts';
import { Problem } from '../http/problem.server.ts';
import { enforceLimit } from '../http/rate-limit.server.ts';
import type { TextFileTask } from './file-maker-protocol.ts';
import { UnprintableText } from './font-set.server.ts';
import { makeFile } from './make-file.server.ts';

const LIMIT = { max: 120, seconds: 3600 };

const types = {
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  json: 'application/json; charset=utf-8',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pdf: 'application/pdf',
  fountain: 'text/plain; charset=utf-8',
  fdx: 'application/xml; charset=utf-8',
  zip: 'application/zip',
};

export interface Download<Content> {
  name: string;
  type: string;
  content: Content;
}

export const downloadName = (title: string, format: string): string =>
  `${cleanFileName(title.replace(/[\\/:*?"<>|]+/g, '-').replace(/[. …]+$/, ''))}.${format}`;

export async function createDownload<Format extends keyof typeof types, Content>({
  userId,
  title,
  format,
  formats,
  make,
}: {
  userId: string;
  title: string;
  format: string;
  formats: readonly Format[];
  make(format: Format): Content | Promise<Content>;
}): Promise<Download<Content>> {
  const supported = formats.find((each) => each === format);
  if (!supported) {
    const list = new Intl.ListFormat(locale(), { type: 'disjunction' }).format(formats);
    throw new Problem('bad_request', m.file_format({ formats: list }));
  }
  await enforceLimit(`download:${userId}`, LIMIT, m.download_limit());
  return { name: downloadName(title, supported), type: types[supported], content: await make(supported) };
}

/** `fallbackFormat` names a format that can show the letters a PDF cannot. */
export async function makePrintable(
  task: { kind: string },
  { userId, fallbackFormat }: { userId: string; fallbackFormat: string },
): Promise<Buffer<ArrayBuffer>> {
  try {
    return await makeFile(task, userId);
  } catch (error) {
    if (!(error instanceof UnprintableText)) throw error;
    const characters = error.signs.join(' ');
    throw new Problem('bad_request', m.export_unprintable({ signs: characters, format: fallbackFormat }));
  }
}

export async function makeTextFile(
  task: Omit<TextFileTask, 'kind'>,
  { userId, fallbackFormat }: { userId: string; fallbackFormat: string },
): Promise<Buffer<ArrayBuffer>> {
  return makePrintable({ kind: 'text', ...task }, { userId, fallbackFormat });
}
