import { Hono } from 'hono';
import { m } from '#messages';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { readJson } from '#platform/http/request-body.server.ts';
import { requireUser } from '#platform/http/request-context.server.ts';
import { codeSignIn, emailSignIn, restorePath } from './contract.ts';
import {
  clearSessionCookie,
  endOtherSessions,
  endSession,
  listSessions,
  renewedSessionCookie,
  signOut,
} from './sessions/sessions.server.ts';
import { requestSignIn, signInWithCode } from './sign-in/email-sign-in.server.ts';
import { browserOf, setCookie } from './sign-in/request-browser.server.ts';
import { me } from './users/users.server.ts';

export function accountsApi(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .post('/api/sign-in/email', async (c) => {
      const { cookie } = await requestSignIn(await readJson(c, emailSignIn), browserOf(c));
      setCookie(c, cookie);
      return c.json({ message: m.sign_in_sent() });
    })
    .post('/api/sign-in/code', async (c) => {
      const result = await signInWithCode(await readJson(c, codeSignIn), browserOf(c));
      setCookie(c, result.cookie);
      setCookie(c, result.deviceCookie);
      if (result.kind === 'deleted') return c.json({ restore: restorePath });
      return c.json({ me: await me({ actor: { userId: result.userId } }) });
    })
    .post('/api/sign-out', async (c) => {
      await signOut(c.req.header('cookie'));
      setCookie(c, clearSessionCookie());
      // A form without JavaScript needs a page to go to.
      return c.req.header('accept')?.includes('text/html') ? c.redirect('/', 303) : c.body(null, 204);
    })
    .get('/api/me', async (c) => {
      const actor = requireUser(c);
      const cookie = await renewedSessionCookie(actor, c.req.header('cookie'));
      if (cookie) setCookie(c, cookie);
      return c.json(await me({ actor }));
    })
    .get('/api/me/sessions', async (c) => c.json({ sessions: await listSessions({ actor: requireUser(c) }) }))
    .delete('/api/me/sessions', async (c) => {
      await endOtherSessions({ actor: requireUser(c) });
      return c.body(null, 204);
    })
    .delete('/api/me/sessions/:id', async (c) => {
      const actor = requireUser(c);
      const id = c.req.param('id');
      await endSession({ actor, input: { id } });
      if (id === actor.sessionId) setCookie(c, clearSessionCookie());
      return c.body(null, 204);
    });
}
