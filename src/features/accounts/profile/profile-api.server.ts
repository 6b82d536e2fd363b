import { type Context, Hono } from 'hono';
import { m } from '#messages';
import { database } from '#platform/database/database.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { matchesEtag } from '#platform/http/etag.server.ts';
import { refererPage, rememberLanguage } from '#platform/http/language.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { readBytes, readJson } from '#platform/http/request-body.server.ts';
import { requireUser } from '#platform/http/request-context.server.ts';
import { toLocale } from '#shared/language-path.ts';
import { deleteAccount } from '../deletion/account-deletion.server.ts';
import { deleteAccountBody } from '../deletion/deletion-contract.ts';
import { removeIdentity } from '../identities/link-identity.server.ts';
import { clearSessionCookie } from '../sessions/sessions.server.ts';
import { avatar, changeAvatar, changeName, limitAvatarChanges } from './profile.server.ts';
import { changeProfile, profileLimits } from './profile-contract.ts';
import { deleteAvatar, setLanguage } from './profile-store.server.ts';

function readAvatar(c: Context<AppEnv>): Promise<Buffer> {
  return readBytes(c.req.raw, profileLimits.avatarBytes).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'too_large') throw error;
    throw new Problem('too_large', m.avatar_too_large());
  });
}

const FORM_BYTES = 1024;

export function profileApi(): Hono<AppEnv> {
  return (
    new Hono<AppEnv>()
      // For a form without JavaScript: redirects to its page, in the chosen language.
      .post('/api/language', async (c) => {
        const form = new URLSearchParams((await readBytes(c.req.raw, FORM_BYTES)).toString());
        const language = toLocale(form.get('language'));
        if (!language) throw new Problem('bad_request', m.request_invalid());
        rememberLanguage(c, language);
        const { actor } = c.var;
        if (actor.kind === 'user') await setLanguage(database(), actor.userId, language);
        return c.redirect(refererPage(c), 303);
      })
      .patch('/api/me', async (c) => {
        const actor = requireUser(c);
        return c.json(await changeName({ actor, input: await readJson(c, changeProfile) }));
      })
      .delete('/api/me', async (c) => {
        const actor = requireUser(c);
        await deleteAccount({ actor, input: await readJson(c, deleteAccountBody) });
        c.header('set-cookie', clearSessionCookie(), { append: true });
        return c.body(null, 204);
      })
      .delete('/api/me/identities/:provider', async (c) => {
        await removeIdentity({ actor: requireUser(c), input: { provider: c.req.param('provider') } });
        return c.body(null, 204);
      })
      .get('/api/me/avatar', async (c) => {
        const { version, bytes } = await avatar({ actor: requireUser(c) });
        // The browser revalidates each time, so that its copy is not visible after a sign-out.
        const headers = { 'cache-control': 'private, no-cache', etag: `"${version}"` };
        if (matchesEtag(c.req.header('if-none-match'), headers.etag)) return c.body(null, 304, headers);
        return c.body(new Uint8Array(bytes), 200, { ...headers, 'content-type': 'image/webp' });
      })
      .put('/api/me/avatar', async (c) => {
        const actor = requireUser(c);
        await limitAvatarChanges({ actor });
        const bytes = await readAvatar(c);
        const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
        return c.json(await changeAvatar({ actor, input: { type, bytes } }));
      })
      .delete('/api/me/avatar', async (c) => {
        await deleteAvatar(database(), requireUser(c).userId);
        return c.body(null, 204);
      })
  );
}
