import { createHash } from 'node:crypto';
import { database } from '../../../platform/database/database.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { notFound, Problem, signInFirst } from '../../../platform/http/problem.server.ts';
import { enforceLimit } from '../../../platform/http/rate-limit.server.ts';
import { squareWebp } from '../../../platform/images/square.server.ts';
import { pictureTypeOf } from '../../../shared/picture-type.ts';
import type { Me } from '../contract.ts';
import { nameOf } from '../users/contract.ts';
import { me } from '../users/service.server.ts';
import { profileTexts } from './contract.ts';
import {
  type AccountRow,
  accountRow,
  avatarRow,
  dropAvatar,
  type Picture,
  putAvatar,
  setName,
} from './store.server.ts';

/** Edge of a picture in pixels, and its most bytes (a check of the table too). */
const SIDE = 256;
const MAX_BYTES = 65_536;
const CHANGES = { max: 20, seconds: 3600 };

/** Gives the actor another name. @throws Problem bad_request. */
export async function rename({ actor, input }: { actor: UserActor; input: { name: string } }): Promise<Me> {
  const name = nameOf(input.name);
  if (name === null) throw new Problem('bad_request', profileTexts.name);
  await setName(database(), actor.userId, name);
  return me({ actor });
}

/** Counts a try to change the picture; before the upload is read. @throws Problem rate_limited. */
export function countAvatar({ actor }: { actor: UserActor }): Promise<void> {
  return enforceLimit(`avatar:${actor.userId}`, CHANGES, profileTexts.avatarTooOften);
}

/**
 * Gives the actor a picture, made anew from the pixels of the file.
 * @throws Problem unsupported_type when the bytes are not what `type` says; those of `squareWebp`.
 */
export async function changeAvatar({
  actor,
  input,
}: {
  actor: UserActor;
  input: { type: string; bytes: Buffer };
}): Promise<Me> {
  const type = pictureTypeOf(input.bytes);
  if (type === null || type !== input.type) throw new Problem('unsupported_type', profileTexts.avatarType);
  const bytes = await squareWebp(input.bytes, { key: actor.userId, side: SIDE, maxBytes: MAX_BYTES });
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
  await putAvatar(database(), actor.userId, { version, bytes, url: `/api/me/avatar?v=${version}` });
  return me({ actor });
}

/** Takes the actor's picture away; nothing when there is none. */
export function removeAvatar({ actor }: { actor: UserActor }): Promise<void> {
  return dropAvatar(database(), actor.userId);
}

/** The actor's picture, a WebP. @throws Problem not_found. */
export async function avatar({ actor }: { actor: UserActor }): Promise<Picture> {
  const found = await avatarRow(database(), actor.userId);
  if (!found) throw notFound();
  return found;
}

/** The actor's account with the ways to sign in to it. @throws Problem unauthorized when it was deleted meanwhile. */
export async function account({ actor }: { actor: UserActor }): Promise<AccountRow> {
  const found = await accountRow(database(), actor.userId);
  if (!found) throw signInFirst();
  return found;
}
