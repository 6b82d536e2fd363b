import { type Context, Hono } from 'hono';
import type { UserActor } from '../../platform/http/actor.server.ts';
import { readJson } from '../../platform/http/body.server.ts';
import type { AppEnv } from '../../platform/http/env.server.ts';
import { signInFirst } from '../../platform/http/problem.server.ts';
import { codeSignIn, emailSignIn, signInTexts } from './contract.ts';
import {
  clearedSessionCookie,
  endOtherSessions,
  endSession,
  listSessions,
  renewedCookie,
  signOut,
} from './sessions/service.server.ts';
import { type Browser, requestSignIn, signInWithCode } from './sign-in/service.server.ts';
import { me } from './users/service.server.ts';

function browserOf(c: Context<AppEnv>): Browser {
  return {
    address: c.var.clientAddress,
    userAgent: c.req.header('user-agent') ?? '',
    cookieHeader: c.req.header('cookie'),
  };
}

function userOf(c: Context<AppEnv>): UserActor {
  if (c.var.actor.kind !== 'user') throw signInFirst();
  return c.var.actor;
}

const setCookie = (c: Context<AppEnv>, line: string) => c.header('set-cookie', line, { append: true });

/** `/api/sign-in/*`, `/api/sign-out`, `/api/me` and `/api/me/sessions`; see docs/contract.md. */
export function accountsApi(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .post('/api/sign-in/email', async (c) => {
      const { cookie } = await requestSignIn(await readJson(c, emailSignIn), browserOf(c));
      setCookie(c, cookie);
      return c.json({ message: signInTexts.sent });
    })
    .post('/api/sign-in/code', async (c) => {
      const { userId, cookie } = await signInWithCode(await readJson(c, codeSignIn), browserOf(c));
      setCookie(c, cookie);
      return c.json({ me: await me({ actor: { userId } }) });
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
