import { openText } from '#features/texts/service.server.ts';
import { createDownload, type Download, makeTextFile } from '#platform/file-formats/download.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import type { Paper } from '#shared/paper.ts';

export async function exportText({
  actor,
  input: { id, version, format, paper },
}: ActorInput<{ id: string; version?: string; format: string; paper: Paper }>): Promise<
  Download<Uint8Array<ArrayBuffer> | string>
> {
  const { userId } = actor;
  const work = await openText({ actor, input: { id, version, feature: 'writer' } });
  const { title } = work;
  const markdown = work.version.content;
  return createDownload({
    userId,
    title,
    format,
    formats: ['txt', 'md', 'docx', 'pdf'],
    make: async (known) =>
      known === 'md'
        ? `${markdown.trim()}\n`
        : makeTextFile({ format: known, markdown, title, paper }, { userId, fallbackFormat: 'docx' }),
  });
}
