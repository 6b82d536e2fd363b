import type { UserActor } from '../../../platform/http/actor.server.ts';
import { notFound, Problem } from '../../../platform/http/problem.server.ts';
import { enforceLimit } from '../../../platform/http/rate-limit.server.ts';
import { UnprintableText } from '../../../platform/office/fonts.server.ts';
import type { TextJob } from '../../../platform/office/job.ts';
import { makeFile } from '../../../platform/office/maker.server.ts';
import {
  type DocumentView,
  extentOf,
  type Findings,
  notReached,
  type Quote,
  wholeFindings,
} from '../contract.ts';
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
function readOf(document: DocumentView, { pagesUsed }: Findings): string {
  const said = [extentOf(document, pagesUsed), document.note, notReached(document, pagesUsed)];
  return said.filter(Boolean).join(' ');
}

function markdown(document: DocumentView, findings: Findings): string {
  const { summary, questions, keywords } = findings;
  const asked = document.questions.filter(({ answer }) => answer !== null);
  const parts = [
    `# ${plain(document.name)}`,
    readOf(document, findings),
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

async function printed(job: TextJob, key: string): Promise<Uint8Array> {
  try {
    return await makeFile(job, key);
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
  const findings = wholeFindings(document);
  if (!findings) throw notFound();
  if (format !== 'md' && format !== 'pdf') throw new Problem('bad_request', 'The format is md or pdf.');
  await enforceLimit(`document-export:${actor.userId}`, LIMIT, LIMIT_TEXT);
  const title = `${document.name.replace(/\.pdf$/i, '')} - analysis`;
  const text = markdown(document, findings);
  if (format === 'md')
    return { name: `${title}.md`, type: 'text/markdown; charset=utf-8', bytes: Buffer.from(text) };
  const bytes = await printed({ kind: 'text', format, markdown: text, title }, actor.userId);
  return { name: `${title}.pdf`, type: 'application/pdf', bytes };
}
