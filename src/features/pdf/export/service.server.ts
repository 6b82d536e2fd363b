import type { UserActor } from '../../../platform/http/actor.server.ts';
import { notFound } from '../../../platform/http/problem.server.ts';
import type { DocumentView, Findings, Quote } from '../contract.ts';
import { openDocument } from '../service.server.ts';

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

/** What was found in a document, as Markdown. @throws Problem not_found without a finished analysis. */
export async function exportFindings({
  actor,
  input,
}: {
  actor: UserActor;
  input: { id: string; format: string | undefined };
}): Promise<{ name: string; type: string; bytes: Buffer }> {
  const document = await openDocument({ actor, input });
  const { analysis } = document;
  if (analysis?.state !== 'done' || !analysis.findings) throw notFound();
  const name = document.name.replace(/\.pdf$/i, '');
  return {
    name: `${name} - analysis.md`,
    type: 'text/markdown; charset=utf-8',
    bytes: Buffer.from(markdown(document, analysis.findings)),
  };
}
