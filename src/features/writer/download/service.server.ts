import type { UserActor } from '../../../platform/http/actor.server.ts';
import { Problem } from '../../../platform/http/problem.server.ts';
import { enforceLimit } from '../../../platform/http/rate-limit.server.ts';
import { UnprintableText } from '../../../platform/office/fonts.server.ts';
import type { TextJob } from '../../../platform/office/job.ts';
import { makeFile } from '../../../platform/office/maker.server.ts';
import { cleanFileName } from '../../../shared/file-name.ts';
import { openWork } from '../../works/service.server.ts';

const LIMIT = { max: 60, seconds: 3600 };
const LIMIT_TEXT = 'You have downloaded many texts in the last hour. Please wait a while.';

const types: Record<TextJob['format'] | 'md', string> = {
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pdf: 'application/pdf',
};

const isFormat = (format: string): format is keyof typeof types => Object.hasOwn(types, format);

function unprintable(error: unknown): never {
  if (!(error instanceof UnprintableText)) throw error;
  throw new Problem(
    'bad_request',
    `The PDF cannot show these signs: ${error.signs.join(' ')} Please export the text as .docx instead.`,
  );
}

const textJob = (format: TextJob['format'], markdown: string, title: string): TextJob => ({
  kind: 'text',
  format,
  markdown,
  title,
});

/**
 * A version of a text as a file, named after its title.
 * @throws Problem not_found; bad_request for another format and a text that a PDF cannot show; rate_limited,
 * too_large, unavailable.
 */
export async function download({
  actor,
  input: { id, version, format },
}: {
  actor: UserActor;
  input: { id: string; version: string | undefined; format: string };
}): Promise<{ name: string; type: string; bytes: Uint8Array<ArrayBuffer> | string }> {
  const work = await openWork({ actor, input: { id, version, feature: 'writer' } });
  if (!isFormat(format)) throw new Problem('bad_request', 'The format is txt, md, docx or pdf.');
  await enforceLimit(`writer-export:${actor.userId}`, LIMIT, LIMIT_TEXT);
  const { title, version: saved } = work;
  const bytes =
    format === 'md'
      ? `${saved.content.trim()}\n`
      : await makeFile(textJob(format, saved.content, title), actor.userId).catch(unprintable);
  const name = cleanFileName(work.title.replace(/[\\/:*?"<>|]+/g, '-'));
  return { name: `${name}.${format}`, type: types[format], bytes };
}
