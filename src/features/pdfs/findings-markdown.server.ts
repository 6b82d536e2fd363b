import { m } from '#messages';
import { joinSentences } from '#shared/join-sentences.ts';
import {
  type DocumentView,
  describeExtent,
  describeUnreadPages,
  type Findings,
  type Quote,
} from './contract.ts';
import { plain, quoteLine } from './quoted-finding.ts';

function quoteLines(quotes: readonly Quote[]): string[] {
  return quotes.map((quote) => `   ${quoteLine(quote)}\n`);
}

function readOf(document: DocumentView, { pagesUsed }: Findings): string {
  return joinSentences(
    describeExtent(document, pagesUsed),
    document.note,
    describeUnreadPages(document, pagesUsed),
  );
}

export function findingsMarkdown(document: DocumentView, findings: Findings): string {
  const { summary, questions, keywords } = findings;
  const asked = document.questions.filter(({ answer }) => answer !== null);
  const parts = [
    `# ${plain(document.name)}`,
    readOf(document, findings),
    m.pdfs_export_intro(),
    `## ${m.pdfs_summary()}`,
    summary
      .map(({ text, quotes }, index) => `${index + 1}. ${plain(text)}\n\n${quoteLines(quotes).join('\n')}`)
      .join('\n'),
    `## ${m.pdfs_questions()}`,
    ...questions.map(
      ({ question, answer, quotes }) =>
        `### ${plain(question)}\n\n${plain(answer)}\n\n${quoteLines(quotes).join('\n')}`,
    ),
    `## ${m.pdfs_keywords()}`,
    keywords.map(({ word, count }) => `- ${plain(word)} (${count})`).join('\n'),
  ];
  if (asked.length > 0) parts.push(`## ${m.pdfs_asked()}`);
  for (const { question, answer } of asked) {
    const said =
      answer?.statements.map(({ text, quotes }) => `${plain(text)}\n\n${quoteLines(quotes).join('\n')}`) ??
      [];
    parts.push(`### ${plain(question)}`, said.length > 0 ? said.join('\n') : m.pdfs_unanswered());
  }
  return `${parts.join('\n\n')}\n`;
}
