import { v7 as uuid } from 'uuid';
import { m } from '#messages';
import { type Database, database, transaction } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { notFound, Problem, requireUuid } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { codePointLength } from '#shared/input-text.ts';
import type { Tag } from '../contract.ts';
import { cleanTagName, tagKey, tagLimits } from './tags-contract.ts';
import {
  countTags,
  deleteTag as deleteRow,
  insertTag,
  lockTags,
  renameTag as renameRow,
  tagsOf,
  tagWithKey,
} from './tags-store.server.ts';

const CREATING = { max: 300, seconds: 3600 };

function parseName(text: string): { name: string; key: string } {
  const name = cleanTagName(text);
  if (name === '') throw new Problem('bad_request', m.tag_unnamed());
  if (codePointLength(name) > tagLimits.name)
    throw new Problem('bad_request', m.memory_too_long({ most: tagLimits.name }));
  return { name, key: tagKey(name) };
}

export async function listTags({ userId }: UserActor): Promise<Tag[]> {
  const row = await database().row<{ tags: Tag[] }>(sql`select ${tagsOf(userId)} as tags`);
  return row?.tags ?? [];
}

const withTagsLocked = <T>(userId: string, work: (tx: Database) => Promise<T>): Promise<T> =>
  transaction(async (tx) => {
    if (!(await lockTags(tx, userId))) throw notFound();
    return work(tx);
  });

/** Creates a tag, or returns the existing one with the same name, regardless of case. */
export async function createTag({
  actor: { userId },
  input,
}: ActorInput<{ name: string }>): Promise<{ tag: Tag; isNew: boolean }> {
  const row = { id: uuid(), ...parseName(input.name) };
  await enforceLimit(`tags:${userId}`, CREATING);
  return withTagsLocked(userId, async (tx) => {
    const existing = await tagWithKey(tx, userId, row.key);
    if (existing) return { tag: existing, isNew: false };
    if ((await countTags(tx, userId)) >= tagLimits.tags)
      throw new Problem('conflict', m.tag_full({ most: tagLimits.tags }));
    await insertTag(tx, userId, row);
    return { tag: { id: row.id, name: row.name }, isNew: true };
  });
}

/** @throws Problem conflict if another tag of the person has that name */
export async function renameTag({
  actor: { userId },
  input,
}: ActorInput<{ id: string; name: string }>): Promise<Tag> {
  const row = { id: requireUuid(input.id).toLowerCase(), ...parseName(input.name) };
  return withTagsLocked(userId, async (tx) => {
    const existing = await tagWithKey(tx, userId, row.key);
    if (existing && existing.id !== row.id)
      throw new Problem('conflict', m.tag_taken({ name: existing.name }));
    if ((await renameRow(tx, userId, row)) === 0) throw notFound();
    return { id: row.id, name: row.name };
  });
}

/** Deletes the tag but not its items. */
export async function deleteTag({ actor, input }: ActorInput<{ id: string }>): Promise<void> {
  if ((await deleteRow(database(), actor.userId, requireUuid(input.id))) === 0) throw notFound();
}
