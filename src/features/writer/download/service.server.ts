import type { UserActor } from '../../../platform/http/actor.server.ts';
import { Problem } from '../../../platform/http/problem.server.ts';
import { enforceLimit } from '../../../platform/http/rate-limit.server.ts';
import { docxOf } from '../../../platform/office/docx.server.ts';
import { UnprintableText } from '../../../platform/office/fonts.server.ts';
import { pdfOf } from '../../../platform/office/pdf.server.ts';
import { plainTextOf } from '../../../platform/office/text.server.ts';
import { cleanFileName } from '../../../shared/file-name.ts';
import { readRichText } from '../../../ui/markdown/rich-text.ts';
import { openWork } from '../../works/service.server.ts';

const LIMIT = { max: 60, seconds: 3600 };
const LIMIT_TEXT = 'You have downloaded many texts in the last hour. Please wait a while.';

interface Format {
  type: string;
  make(markdown: string, title: string): Promise<Uint8Array<ArrayBuffer> | string>;
}

const formats: Record<string, Format> = {
  txt: { type: 'text/plain; charset=utf-8', make: async (text) => plainTextOf(readRichText(text)) },
  md: { type: 'text/markdown; charset=utf-8', make: async (text) => `${text.trim()}\n` },
  docx: {
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    make: (text, title) => docxOf(readRichText(text), title),
  },
  pdf: { type: 'application/pdf', make: (text, title) => pdfOf(readRichText(text), title) },
};

function unprintable(error: unknown): never {
  if (!(error instanceof UnprintableText)) throw error;
  throw new Problem(
    'bad_request',
    `The PDF cannot show these signs: ${error.signs.join(' ')} Please export the text as .docx instead.`,
  );
}

/**
 * A version of a text as a file, named after its title.
 * @throws Problem not_found; bad_request for another format and a text that a PDF cannot show; rate_limited.
 */
export async function download({
  actor,
  input: { id, version, format },
}: {
  actor: UserActor;
  input: { id: string; version: string | undefined; format: string };
}): Promise<{ name: string; type: string; bytes: Uint8Array<ArrayBuffer> | string }> {
  const work = await openWork({ actor, input: { id, version, feature: 'writer' } });
  const wanted = Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (!wanted) throw new Problem('bad_request', 'The format is txt, md, docx or pdf.');
  await enforceLimit(`writer-export:${actor.userId}`, LIMIT, LIMIT_TEXT);
  const bytes = await wanted.make(work.version.content, work.title).catch(unprintable);
  const name = cleanFileName(work.title.replace(/[\\/:*?"<>|]+/g, '-'));
  return { name: `${name}.${format}`, type: wanted.type, bytes };
}
