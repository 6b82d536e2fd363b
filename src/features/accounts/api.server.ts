import { type Context, Hono } from 'hono';
import type { UserActor } from '../../platform/http/actor.server.ts';
import { readJson } from '../../platform/http/body.server.ts';
import type { AppEnv } from '../../platform/http/env.server.ts';
import { signInFirst } from '../../platform/http/problem.server.ts';
import { codeSignIn, emailSignIn, restorePath, signInTexts } from './contract.ts';
import { browserOf, setCookie } from './entry/api.server.ts';
import {
  clearedSessionCookie,
  endOtherSessions,
  endSession,
  listSessions,
  renewedCookie,
  signOut,
} from './sessions/service.server.ts';
import { requestSignIn, signInWithCode } from './sign-in/service.server.ts';
import { me } from './users/service.server.ts';

function userOf(c: Context<AppEnv>): UserActor {
  if (c.var.actor.kind !== 'user') throw signInFirst();
  return c.var.actor;
}

/** `/api/sign-in/*`, `/api/sign-out`, `/api/me` and `/api/me/sessions`; see docs/contract.md. */
export function accountsApi(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .post('/api/sign-in/email', async (c) => {
      const { cookie } = await requestSignIn(await readJson(c, emailSignIn), browserOf(c));
      setCookie(c, cookie);
      return c.json({ message: signInTexts.sent });
    })
    .post('/api/sign-in/code', async (c) => {
      const entry = await signInWithCode(await readJson(c, codeSignIn), browserOf(c));
      setCookie(c, entry.cookie);
      if (entry.kind === 'deleted') return c.json({ restore: restorePath });
      return c.json({ me: await me({ actor: { userId: entry.userId } }) });
    })
    .post('/api/sign-out', async (c) => {
      await signOut(c.req.header('cookie'));
      setCookie(c, clearedSessionCookie());
      // A form without JavaScript wants a page to go on to.
      return c.req.header('accept')?.includes('text/html') ? c.redirect('/', 303) : c.body(null, 204);
    })
    .get('/api/me', async (c) => {
      const actor = userOf(c);
      const cookie = await renewedCookie(actor, c.req.header('cookie'));
      if (cookie) setCookie(c, cookie);
      return c.json(await me({ actor }));
    })
    .get('/api/me/sessions', async (c) => c.json({ sessions: await listSessions({ actor: userOf(c) }) }))
    .delete('/api/me/sessions', async (c) => {
      await endOtherSessions({ actor: userOf(c) });
      return c.body(null, 204);
    })
    .delete('/api/me/sessions/:id', async (c) => {
      const actor = userOf(c);
      const id = c.req.param('id');
      await endSession({ actor, input: { id } });
      if (id === actor.sessionId) setCookie(c, clearedSessionCookie());
      return c.body(null, 204);
    });
}
