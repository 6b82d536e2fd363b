import type { UserActor } from '../../../platform/http/actor.server.ts';
import { notFound, Problem } from '../../../platform/http/problem.server.ts';
import { enforceLimit } from '../../../platform/http/rate-limit.server.ts';
import { UnprintableText } from '../../../platform/office/fonts.server.ts';
import { pdfOf } from '../../../platform/office/pdf.server.ts';
import { readRichText } from '../../../ui/markdown/rich-text.ts';
import type { DocumentView, Findings, Quote } from '../contract.ts';
import { openDocument } from '../service.server.ts';

const LIMIT = { max: 60, seconds: 3600 };
const LIMIT_TEXT = 'You have downloaded many results in the last hour. Please wait a while.';

const pagesIn = (quotes: readonly Quote[]) => [
  ...new Set(quotes.flatMap(({ places }) => places.map(({ page }) => page))),
];

/** Text that Markdown takes for nothing else. */
const plain = (text: string) => text.replace(/[\\`*_{}[\]<>#|~]/g, '\\$&');

function quoted(quotes: readonly Quote[]): string[] {
  return quotes.map((quote) => `   > ${plain(quote.text)} (p. ${pagesIn([quote]).join(', ')})\n`);
}

/** Which pages the findings are made from, in words. */
function extentOf({ pages, note }: DocumentView, { pagesUsed }: Findings): string {
  const used =
    pagesUsed >= pages ? `All ${pages} pages were read.` : `Pages 1 to ${pagesUsed} of ${pages} were read.`;
  return note ? `${used} ${note}` : used;
}

function markdown(document: DocumentView, findings: Findings): string {
  const { summary, questions, keywords } = findings;
  const asked = document.questions.filter(({ answer }) => answer !== null);
  const parts = [
    `# ${plain(document.name)}`,
    extentOf(document, findings),
    'Each statement is followed by words of the document that were found in it.',
    '## Summary',
    summary
      .map(({ text, quotes }, index) => `${index + 1}. ${plain(text)}\n\n${quoted(quotes).join('\n')}`)
      .join('\n'),
    '## Q&A',
    ...questions.map(
      ({ question, answer, quotes }) =>
        `### ${plain(question)}\n\n${plain(answer)}\n\n${quoted(quotes).join('\n')}`,
    ),
    '## Keywords',
    keywords.map(({ word, count }) => `- ${plain(word)} (${count})`).join('\n'),
  ];
  if (asked.length > 0) parts.push('## Asked');
  for (const { question, answer } of asked) {
    const said =
      answer?.statements.map(({ text, quotes }) => `${plain(text)}\n\n${quoted(quotes).join('\n')}`) ?? [];
    parts.push(
      `### ${plain(question)}`,
      said.length > 0 ? said.join('\n') : 'The document does not answer this.',
    );
  }
  return `${parts.join('\n\n')}\n`;
}

async function printed(text: string, title: string): Promise<Uint8Array> {
  try {
    return await pdfOf(readRichText(text), title);
  } catch (error) {
    if (!(error instanceof UnprintableText)) throw error;
    throw new Problem(
      'bad_request',
      `The PDF cannot show these signs: ${error.signs.join(' ')} Please export the result as .md instead.`,
    );
  }
}

/**
 * What was found in a document by its newest whole analysis, as Markdown or PDF.
 * @throws Problem not_found without a finished analysis; bad_request for another format or what a PDF cannot show.
 */
export async function exportFindings({
  actor,
  input,
}: {
  actor: UserActor;
  input: { id: string; format: string | undefined };
}): Promise<{ name: string; type: string; bytes: Uint8Array }> {
  const { format = 'md' } = input;
  const document = await openDocument({ actor, input });
  const analysis = document.kept ?? document.analysis;
  if (analysis?.state !== 'done' || !analysis.findings) throw notFound();
  if (format !== 'md' && format !== 'pdf') throw new Problem('bad_request', 'The format is md or pdf.');
  await enforceLimit(`document-export:${actor.userId}`, LIMIT, LIMIT_TEXT);
  const title = `${document.name.replace(/\.pdf$/i, '')} - analysis`;
  const text = markdown(document, analysis.findings);
  return format === 'md'
    ? { name: `${title}.md`, type: 'text/markdown; charset=utf-8', bytes: Buffer.from(text) }
    : { name: `${title}.pdf`, type: 'application/pdf', bytes: await printed(text, title) };
}
