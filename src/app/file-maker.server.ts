import process from 'node:process';
import { json } from 'node:stream/consumers';
import type { ScriptJob } from '../features/script/making/service.server.ts';
import { Problem } from '../platform/http/problem.server.ts';
import { UnprintableText } from '../platform/office/fonts.server.ts';
import { REFUSED, type Refusal, type TextJob } from '../platform/office/job.ts';

/**
 * Blocks of a text, more than its 100,000 letters hold: what stands below them is without its structure. The browser
 * lays out far fewer.
 */
const BLOCKS = 100_000;

async function textFile({ format, markdown, title }: TextJob): Promise<string | Uint8Array> {
  const { readRichText } = await import('../ui/markdown/rich-text.ts');
  const text = readRichText(markdown, BLOCKS);
  if (format === 'txt') return (await import('../platform/office/text.server.ts')).plainTextOf(text);
  if (format === 'pdf') return (await import('../platform/office/pdf.server.ts')).pdfOf(text, title);
  return (await import('../platform/office/docx.server.ts')).docxOf(text, title);
}

const fileOf = async (job: TextJob | ScriptJob) =>
  job.kind === 'text'
    ? textFile(job)
    : (await import('../features/script/making/service.server.ts')).scriptFile(job);

function refusalOf(error: unknown): Refusal {
  if (error instanceof UnprintableText) return { signs: error.signs };
  if (error instanceof Problem) return { text: error.message };
  throw error;
}

/** A process for one file: the job comes as JSON on standard input, the file goes to standard output. */
async function main(): Promise<void> {
  const job = (await json(process.stdin)) as TextJob | ScriptJob;
  try {
    process.stdout.end(await fileOf(job));
  } catch (error) {
    const refusal = refusalOf(error);
    process.exitCode = REFUSED;
    process.stdout.end(JSON.stringify(refusal));
  }
}

await main();
