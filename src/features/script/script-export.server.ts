import { me } from '#features/accounts/service.server.ts';
import { openText } from '#features/texts/service.server.ts';
import { m } from '#messages';
import { createDownload, type Download, makePrintable } from '#platform/file-formats/download.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import type { Paper } from '#shared/paper.ts';
import type { ScriptFormat } from './contract.ts';
import type { ScriptFileTask } from './script-file.server.ts';

/**
 * `version` defaults to the newest. @throws Problem not_found; conflict if there is no text; bad_request for a text
 * that the format cannot represent.
 */
export async function downloadScript({
  actor,
  input: { id, version, format, paper },
}: ActorInput<{ id: string; version?: string; format: string; paper: Paper }>): Promise<
  Download<Uint8Array<ArrayBuffer>>
> {
  const {
    title,
    author,
    version: saved,
  } = await openText({ actor, input: { id, version, feature: 'script' } });
  if (saved.content === '') throw new Problem('conflict', m.script_no_text());
  return createDownload<ScriptFormat, Uint8Array<ArrayBuffer>>({
    userId: actor.userId,
    title,
    format,
    formats: ['fountain', 'fdx', 'pdf', 'txt', 'md'],
    async make(known) {
      const { name } = await me({ actor });
      const facts = { title, author, name, date: saved.savedAt.slice(0, 10) };
      const task: ScriptFileTask = { kind: 'script', format: known, source: saved.content, facts, paper };
      return makePrintable(task, { userId: actor.userId, fallbackFormat: 'fdx' });
    },
  });
}
