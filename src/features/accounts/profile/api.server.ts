import { type Context, Hono } from 'hono';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { readBytes, readJson } from '../../../platform/http/body.server.ts';
import type { AppEnv } from '../../../platform/http/env.server.ts';
import { namesTag } from '../../../platform/http/etag.server.ts';
import { Problem, signInFirst } from '../../../platform/http/problem.server.ts';
import { deleteAccountBody } from '../deletion/contract.ts';
import { deleteAccount } from '../deletion/service.server.ts';
import { removeIdentity } from '../identities/service.server.ts';
import { clearedSessionCookie } from '../sessions/service.server.ts';
import { changeProfile, profileLimits, profileTexts } from './contract.ts';
import { avatar, changeAvatar, countAvatar, removeAvatar, rename } from './service.server.ts';

function userOf(c: Context<AppEnv>): UserActor {
  if (c.var.actor.kind !== 'user') throw signInFirst();
  return c.var.actor;
}

/** @throws Problem too_large in words about pictures. */
function readAvatar(c: Context<AppEnv>): Promise<Buffer> {
  return readBytes(c.req.raw, profileLimits.avatarBytes).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'too_large') throw error;
    throw new Problem('too_large', profileTexts.avatarSize);
  });
}

/** Changing and deleting one's account: `PATCH` and `DELETE /api/me`, `/api/me/avatar` and `/api/me/identities`. */
export function profileApi(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .patch('/api/me', async (c) => {
      const actor = userOf(c);
      return c.json(await rename({ actor, input: await readJson(c, changeProfile) }));
    })
    .delete('/api/me', async (c) => {
      const actor = userOf(c);
      await deleteAccount({ actor, input: await readJson(c, deleteAccountBody) });
      c.header('set-cookie', clearedSessionCookie(), { append: true });
      return c.body(null, 204);
    })
    .delete('/api/me/identities/:provider', async (c) => {
      await removeIdentity({ actor: userOf(c), input: { provider: c.req.param('provider') } });
      return c.body(null, 204);
    })
    .get('/api/me/avatar', async (c) => {
      const { version, bytes } = await avatar({ actor: userOf(c) });
      // The browser asks each time: after a sign-out its copy is shown to nobody.
      const headers = { 'cache-control': 'private, no-cache', etag: `"${version}"` };
      if (namesTag(c.req.header('if-none-match'), headers.etag)) return c.body(null, 304, headers);
      return c.body(new Uint8Array(bytes), 200, { ...headers, 'content-type': 'image/webp' });
    })
    .put('/api/me/avatar', async (c) => {
      const actor = userOf(c);
      await countAvatar({ actor });
      const bytes = await readAvatar(c);
      const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
      return c.json(await changeAvatar({ actor, input: { type, bytes } }));
    })
    .delete('/api/me/avatar', async (c) => {
      await removeAvatar({ actor: userOf(c) });
      return c.body(null, 204);
    });
}
