import { m } from '#messages';
import { joinSentences } from '#shared/join-sentences.ts';
import {
  type DocumentView,
  describeExtent,
  describeUnreadPages,
  type Findings,
  type Quote,
} from './contract.ts';
import { escapeMarkdown, quoteLine } from './quoted-finding.ts';

function quoteLines(quotes: readonly Quote[]): string[] {
  return quotes.map((quote) => `   ${quoteLine(quote)}\n`);
}

function describeCoverage(document: DocumentView, { pagesUsed }: Findings): string {
  return joinSentences(
    describeExtent(document, pagesUsed),
    document.note,
    describeUnreadPages(document, pagesUsed),
  );
}

export function findingsMarkdown(document: DocumentView, findings: Findings): string {
  const { summary, questions, keywords } = findings;
  const answered = document.questions.filter(({ answer }) => answer !== null);
  const parts = [
    `# ${escapeMarkdown(document.name)}`,
    describeCoverage(document, findings),
    m.pdfs_export_intro(),
    `## ${m.pdfs_summary()}`,
    summary
      .map(
        ({ text, quotes }, index) =>
          `${index + 1}. ${escapeMarkdown(text)}\n\n${quoteLines(quotes).join('\n')}`,
      )
      .join('\n'),
    `## ${m.pdfs_questions()}`,
    ...questions.map(
      ({ question, answer, quotes }) =>
        `### ${escapeMarkdown(question)}\n\n${escapeMarkdown(answer)}\n\n${quoteLines(quotes).join('\n')}`,
    ),
    `## ${m.pdfs_keywords()}`,
    keywords.map(({ word, count }) => `- ${escapeMarkdown(word)} (${count})`).join('\n'),
  ];
  if (answered.length > 0) parts.push(`## ${m.pdfs_asked()}`);
  for (const { question, answer } of answered) {
    const statements =
      answer?.statements.map(
        ({ text, quotes }) => `${escapeMarkdown(text)}\n\n${quoteLines(quotes).join('\n')}`,
      ) ?? [];
    parts.push(
      `### ${escapeMarkdown(question)}`,
      statements.length > 0 ? statements.join('\n') : m.pdfs_unanswered(),
    );
  }
  return `${parts.join('\n\n')}\n`;
}
