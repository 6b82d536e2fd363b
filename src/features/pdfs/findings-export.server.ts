import { m } from '#messages';
import { createDownload, type Download, makeTextFile } from '#platform/file-formats/download.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { notFound } from '#platform/http/problem.server.ts';
import { joinSentences } from '#shared/join-sentences.ts';
import type { Paper } from '#shared/paper.ts';
import {
  completeFindings,
  type DocumentView,
  describeExtent,
  describeUnreadPages,
  type Findings,
  type Quote,
} from './contract.ts';
import { openDocument } from './service.server.ts';

const pagesIn = (quotes: readonly Quote[]) => [
  ...new Set(quotes.flatMap(({ places }) => places.map(({ page }) => page))),
];

const plain = (text: string) => text.replace(/[\\`*_{}[\]<>#|~]/g, '\\$&');

function quoteLines(quotes: readonly Quote[]): string[] {
  return quotes.map(
    (quote) => `   > ${plain(quote.text)} (${m.pdfs_export_page({ pages: pagesIn([quote]).join(', ') })})\n`,
  );
}

function readOf(document: DocumentView, { pagesUsed }: Findings): string {
  return joinSentences(
    describeExtent(document, pagesUsed),
    document.note,
    describeUnreadPages(document, pagesUsed),
  );
}

function markdown(document: DocumentView, findings: Findings): string {
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

export async function exportFindings({
  actor,
  input,
}: ActorInput<{ id: string; format: string; paper: Paper }>): Promise<
  Download<string | Uint8Array<ArrayBuffer>>
> {
  const { userId } = actor;
  const document = await openDocument({ actor, input });
  const findings = completeFindings(document);
  if (!findings) throw notFound();
  const title = m.pdfs_export_name({ name: document.name.replace(/\.pdf$/i, '') });
  return createDownload({
    userId,
    title,
    format: input.format,
    formats: ['md', 'pdf'],
    async make(format) {
      const text = markdown(document, findings);
      if (format === 'md') return text;
      return makeTextFile({ format, markdown: text, title, paper: input.paper }, { userId, holdsAll: 'md' });
    },
  });
}
