import { m } from '#messages';
import { createDownload, type Download, makeTextFile } from '#platform/file-formats/download.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { notFound } from '#platform/http/problem.server.ts';
import type { Paper } from '#shared/paper.ts';
import { completeFindings } from './contract.ts';
import { findingsMarkdown } from './findings-markdown.server.ts';
import { openDocument } from './service.server.ts';

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
      const text = findingsMarkdown(document, findings);
      if (format === 'md') return text;
      return makeTextFile(
        { format, markdown: text, title, paper: input.paper },
        { userId, fallbackFormat: 'md' },
      );
    },
  });
}
