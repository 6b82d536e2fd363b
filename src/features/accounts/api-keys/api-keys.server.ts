import { createHash, randomBytes } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import { database, transaction } from '#platform/database/database.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { notFound, Problem, requireFound, requireUuid } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { enqueue } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { sendMail } from '#platform/mail/send-mail.server.ts';
import { cleanLine } from '#shared/clean-text.ts';
import { setting } from '#shared/settings.ts';
import { findUserEmail } from '../identities/identity-store.server.ts';
import { apiKeyMail } from './api-key-created.mail.tsx';
import {
  type ApiKey,
  type ChangeKey,
  type CreatedKey,
  type CreateKey,
  type KeyScope,
  keyLimits,
  keyPrefix,
  keyScopes,
} from './api-keys-contract.ts';
import {
  findKeys,
  insertKey,
  isPast,
  type KeyRow,
  lockKey,
  ownKey,
  revokeKeyRow,
  updateKey,
} from './api-keys-store.server.ts';

export const SEND_KEY_MAIL = 'send-api-key-mail';

const CREATION_LIMIT = { max: 30, seconds: 3600 };

/** A plain SHA-256 is safe, because nobody can guess 256 random bits. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

export function keyView(row: KeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    lastFour: row.last_four,
    scopes: row.scopes,
    ceiling: row.ceiling,
    endsOn: row.ends_on,
    ended: row.ended,
    createdAt: row.created_at.toISOString(),
    usedAt: row.used_at?.toISOString() ?? null,
    month: { runs: row.runs, credits: row.credits },
  };
}

function keyName(text: string): string {
  const name = cleanLine(text, keyLimits.name);
  if (name === '') throw new Problem('bad_request', m.api_key_name_missing());
  return name;
}

async function checkEnd(day: string | null | undefined): Promise<void> {
  if (day && (await isPast(database(), day))) throw new Problem('bad_request', m.api_key_end_past());
}

/** Without duplicates, in the order of the list. */
const orderScopes = (requested: readonly KeyScope[]) =>
  keyScopes.filter((scope) => requested.includes(scope));

export async function listKeys({ actor }: { actor: UserActor }): Promise<ApiKey[]> {
  return (await findKeys(database(), actor.userId)).map(keyView);
}

export async function createKey({ actor, input }: ActorInput<CreateKey>): Promise<CreatedKey> {
  const { userId } = actor;
  const [name, { keys: most }] = [keyName(input.name), keyLimits];
  await checkEnd(input.endsOn);
  await enforceLimit(`api-keys:${userId}`, CREATION_LIMIT);
  const secret = keyPrefix + randomBytes(32).toString('base64url');
  const id = uuid();
  const row = await transaction(async (tx) => {
    const key = {
      ...{ id, userId, name, hash: hashOf(secret), lastFour: secret.slice(-4) },
      scopes: orderScopes(input.scopes),
      ceiling: input.ceiling ?? null,
      endsOn: input.endsOn ?? null,
    };
    if (!(await insertKey(tx, key, most))) throw new Problem('conflict', m.api_key_full({ most }));
    await enqueue(SEND_KEY_MAIL, { userId, name }, { tx });
    return requireFound(await ownKey(tx, userId, id));
  });
  log.info({ userId, key: id }, 'an API key was made');
  return { key: keyView(row), secret };
}

export async function changeKey({ actor, input }: ActorInput<ChangeKey & { id: string }>): Promise<ApiKey> {
  const id = requireUuid(input.id);
  const name = input.name === undefined ? undefined : keyName(input.name);
  const row = await transaction(async (tx) => {
    const current = requireFound(await lockKey(tx, actor.userId, id));
    const endsOn = input.endsOn === undefined ? current.ends_on : input.endsOn;
    if (endsOn !== current.ends_on) await checkEnd(endsOn);
    await updateKey(tx, {
      id,
      name: name ?? current.name,
      scopes: orderScopes(input.scopes ?? current.scopes),
      ceiling: input.ceiling === undefined ? current.ceiling : input.ceiling,
      endsOn,
    });
    return ownKey(tx, actor.userId, id);
  });
  return keyView(requireFound(row));
}

/** Runs that the key has started continue to their end. */
export async function revokeKey({ actor, input }: ActorInput<{ id: string }>): Promise<void> {
  const id = requireUuid(input.id);
  if ((await revokeKeyRow(database(), actor.userId, id)) === 0) throw notFound();
  log.info({ userId: actor.userId, key: id }, 'an API key was revoked');
}

export async function sendKeyMail({ userId, name }: { userId: string; name: string }): Promise<void> {
  const address = await findUserEmail(database(), userId);
  if (address === null) return;
  const link = `${config().publicUrl}/settings#settings-api-keys`;
  await sendMail({ to: { address }, ...apiKeyMail({ brand: setting('brand.name'), name, link }) });
}
