import type { PassThrough } from 'node:stream';
import { usedFiles } from '#features/chat/service.server.ts';
import { m } from '#messages';
import type { ExportFile } from '#platform/data-export.server.ts';
import { createDownload, type Download } from '#platform/file-formats/download.server.ts';
import { archiveOf } from '#platform/file-formats/zip-archive.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { notFound, Problem, requireUuid } from '#platform/http/problem.server.ts';
import {
  type ActOnItems,
  type LibraryKind,
  libraryKinds,
  libraryLimits,
  type SelectionOutcome,
} from './contract.ts';
import { itemActions } from './item-actions.server.ts';

function actionsOf<Kind extends LibraryKind>(kind: Kind) {
  const actions = itemActions[kind];
  if (!actions) throw notFound();
  return actions;
}

/**
 * Acts on one item after the other. Files are deleted and restored with the chats they were sent in.
 * @throws any error that is not a Problem; the items before it stay done
 */
export async function actOnSelection({ actor, input }: ActorInput<ActOnItems>): Promise<SelectionOutcome> {
  const outcome: SelectionOutcome = { done: [], refused: [] };
  const items = new Map(input.items.map(({ kind, id }) => [id.toLowerCase(), kind]));
  const files = [...items.keys()].filter((id) => items.get(id) === 'file');
  const usedBefore = await usedFiles({ actor, input: { ids: files } });
  for (const [id, kind] of items) {
    if (kind === 'file') continue;
    const { remove, restore } = actionsOf(kind);
    const action = input.act === 'delete' ? remove : restore;
    try {
      await action({ actor, input: { id } });
      outcome.done.push(id);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      outcome.refused.push({ id, error: error.message });
    }
  }
  const usedAfter = await usedFiles({ actor, input: { ids: files } });
  for (const id of files) {
    const isUsed = usedAfter.has(id);
    if (input.act === 'restore' ? isUsed : usedBefore.has(id) && !isUsed) outcome.done.push(id);
    else outcome.refused.push({ id, error: isUsed ? m.library_file_kept() : notFound().message });
  }
  return outcome;
}

/** Parses ids by kind, as in `GET /api/library/export?chat=ID,ID&image=ID`. */
export function selectionOf(search: URLSearchParams): { kind: LibraryKind; id: string }[] {
  const items = libraryKinds.flatMap(
    (kind) =>
      (search.get(kind) || null)?.split(',').map((id) => ({ kind, id: requireUuid(id).toLowerCase() })) ?? [],
  );
  const unique = new Map(items.map((item) => [item.id, item]));
  if (unique.size === 0 || unique.size > libraryLimits.selected)
    throw new Problem('bad_request', m.request_field({ field: 'ids' }));
  return [...unique.values()];
}

async function* streamFiles(files: ExportFile[]): AsyncGenerator<ExportFile> {
  yield* files;
}

/** Returns one archive with the files of all items. Fails if any item doesn't exist or belongs to somebody else. */
export async function downloadSelection({
  actor,
  input: { items },
}: ActorInput<{ items: { kind: LibraryKind; id: string }[] }>): Promise<Download<PassThrough>> {
  const files: ExportFile[] = [];
  for (const { kind, id } of items)
    files.push(...[await actionsOf(kind).files({ actor, input: { id } })].flat());
  if (files.length === 0) throw new Problem('conflict', m.library_export_empty());
  return createDownload({
    userId: actor.userId,
    title: m.library_export_name({ count: items.length }),
    format: 'zip',
    formats: ['zip'],
    make: () => archiveOf(streamFiles(files)),
  });
}
