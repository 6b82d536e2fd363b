import { createHash } from 'node:crypto';
import { m } from '#messages';
import { database } from '#platform/database/database.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { notFound, Problem, signInRequired } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { squareWebp } from '#platform/images/square-webp.server.ts';
import { imageTypeOf } from '#shared/image-type.ts';
import type { Me } from '../contract.ts';
import { validName } from '../users/user-name.ts';
import { me } from '../users/users.server.ts';
import {
  type AccountRow,
  findAccount,
  findAvatar,
  type Picture,
  setName,
  upsertAvatar,
} from './profile-store.server.ts';

/** Pixels, and bytes (the table checks them too). */
const SIDE = 256;
const MAX_BYTES = 65_536;
const CHANGES = { max: 20, seconds: 3600 };

export async function changeName({ actor, input }: ActorInput<{ name: string }>): Promise<Me> {
  const name = validName(input.name);
  if (name === null) throw new Problem('bad_request', m.settings_name_invalid());
  await setName(database(), actor.userId, name);
  return me({ actor });
}

/** Call it before the upload is read. */
export function limitAvatarChanges({ actor }: { actor: UserActor }): Promise<void> {
  return enforceLimit(`avatar:${actor.userId}`, CHANGES, m.avatar_too_often());
}

export async function changeAvatar({
  actor,
  input,
}: ActorInput<{ type: string; bytes: Buffer }>): Promise<Me> {
  const type = imageTypeOf(input.bytes);
  if (type === null || type !== input.type) throw new Problem('unsupported_type', m.avatar_wrong_type());
  const bytes = await squareWebp(input.bytes, { key: actor.userId, side: SIDE, maxBytes: MAX_BYTES });
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
  await upsertAvatar(database(), actor.userId, { version, bytes, url: `/api/me/avatar?v=${version}` });
  return me({ actor });
}

export async function avatar({ actor }: { actor: UserActor }): Promise<Picture> {
  const found = await findAvatar(database(), actor.userId);
  if (!found) throw notFound();
  return found;
}

export async function accountDetails({ actor }: { actor: UserActor }): Promise<AccountRow> {
  const found = await findAccount(database(), actor.userId);
  if (!found) throw signInRequired();
  return found;
}
