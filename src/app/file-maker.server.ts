import process from 'node:process';
import { json } from 'node:stream/consumers';
import type { ScriptFileTask } from '#features/script/script-file.server.ts';
import type { Locale } from '#messages';
import {
  EXIT_REFUSED,
  type FileRefusal,
  type TextFileTask,
  TooManyPages,
} from '#platform/file-formats/file-maker-protocol.ts';
import { UnprintableText } from '#platform/file-formats/font-set.server.ts';
import { withLocale } from '#platform/locale.server.ts';

/** Maximum number of Markdown blocks with structure; a text of 100,000 characters has fewer. The rest is plain text. */
const MAX_BLOCKS = 100_000;

async function textFile({ format, markdown, title, paper }: TextFileTask): Promise<string | Uint8Array> {
  const { readRichText } = await import('#ui/markdown/read-rich-text.ts');
  const text = readRichText(markdown, MAX_BLOCKS);
  if (format === 'txt')
    return (await import('#platform/file-formats/plain-text.server.ts')).renderPlainText(text);
  if (format === 'pdf')
    return (await import('#platform/file-formats/pdf.server.ts')).renderPdf(text, { title, paper });
  return (await import('#platform/file-formats/docx.server.ts')).renderDocx(text, title);
}

type FileTask = (TextFileTask | ScriptFileTask) & { language: Locale };

const renderFile = async (task: TextFileTask | ScriptFileTask) =>
  task.kind === 'text'
    ? textFile(task)
    : (await import('#features/script/script-file.server.ts')).renderScriptFile(task);

function toRefusal(error: unknown): FileRefusal {
  if (error instanceof UnprintableText) return { signs: error.signs };
  if (error instanceof TooManyPages) return { pages: error.pages, most: error.most };
  throw error;
}

async function main(): Promise<void> {
  const { language, ...task } = (await json(process.stdin)) as FileTask;
  try {
    process.stdout.end(await withLocale(language, () => renderFile(task)));
  } catch (error) {
    const refusal = toRefusal(error);
    process.exitCode = EXIT_REFUSED;
    process.stdout.end(JSON.stringify(refusal));
  }
}

await main();
