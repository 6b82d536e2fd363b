import { v7 as uuid } from 'uuid';
import { m } from '#messages';
import { database, transaction } from '#platform/database/database.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { notFound, Problem, requireFound, requireUuid } from '#platform/http/problem.server.ts';
import { cleanText } from '#shared/clean-text.ts';
import { type Memory, type MemoryNote, memoryLimits } from './memory-contract.ts';
import {
  deleteNote,
  findNotes,
  insertNote,
  memoryIsOn,
  type NoteRow,
  setMemoryOn,
  updateNote,
} from './memory-store.server.ts';

const toNote = ({ id, text, created_at }: NoteRow): MemoryNote => ({
  id,
  text,
  createdAt: created_at.toISOString(),
});

function noteText(text: string): string {
  const clean = cleanText(text).trim();
  if (clean === '') throw new Problem('bad_request', m.memory_empty());
  if (clean.length > memoryLimits.length)
    throw new Problem('bad_request', m.memory_too_long({ most: memoryLimits.length }));
  return clean;
}

export async function readMemory({ actor }: { actor: UserActor }): Promise<Memory> {
  const [enabled, rows] = await Promise.all([
    memoryIsOn(database(), actor.userId),
    findNotes(database(), actor.userId),
  ]);
  return { enabled, notes: rows.map(toNote) };
}

export async function setMemoryEnabled({ actor, input }: ActorInput<{ enabled: boolean }>): Promise<Memory> {
  await setMemoryOn(database(), actor.userId, input.enabled);
  return readMemory({ actor });
}

/** Only called at the user's own request, never by a model, document or page. */
export async function remember({ actor, input }: ActorInput<{ text: string }>): Promise<MemoryNote> {
  const { notes: most } = memoryLimits;
  const note = { id: uuid(), userId: actor.userId, text: noteText(input.text), most };
  const row = await transaction((tx) => insertNote(tx, note));
  if (!row) throw new Problem('conflict', m.memory_full({ most }));
  return toNote(row);
}

export async function changeNote({
  actor,
  input,
}: ActorInput<{ id: string; text: string }>): Promise<MemoryNote> {
  const id = requireUuid(input.id);
  return toNote(requireFound(await updateNote(database(), actor.userId, id, noteText(input.text))));
}

export async function forget({ actor, input }: ActorInput<{ id: string }>): Promise<void> {
  if ((await deleteNote(database(), actor.userId, requireUuid(input.id))) === 0) throw notFound();
}
