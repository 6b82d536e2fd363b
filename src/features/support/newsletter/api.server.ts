import { Hono } from 'hono';
import { readBytes, readJson } from '../../../platform/http/body.server.ts';
import type { AppEnv } from '../../../platform/http/env.server.ts';
import { notFound, Problem } from '../../../platform/http/problem.server.ts';
import { newsletterBody, newsletterPaths, newsletterTexts, trapField } from './contract.ts';
import { askForNewsletter, leaveByLink } from './service.server.ts';

const FORM_BYTES = 8 * 1024;

/** `POST /api/newsletter`, and the address of List-Unsubscribe; see docs/contract.md. */
export function newsletterApi(): Hono<AppEnv> {
  return (
    new Hono<AppEnv>()
      .post(newsletterPaths.api, async (c) => {
        const { email, source, [trapField]: trap } = await readJson(c, newsletterBody);
        await askForNewsletter({ email, source, trap }, c.var.clientAddress);
        return c.json({ message: newsletterTexts.asked });
      })
      // RFC 8058: a mail server posts one pair as either kind of form, without cookie and origin; the token is the proof.
      .post(newsletterPaths.oneClick, async (c) => {
        const body = (await readBytes(c.req.raw, FORM_BYTES)).toString('latin1');
        if (!/\bList-Unsubscribe\b.*\bOne-Click\b/s.test(body))
          throw new Problem('bad_request', 'This address takes List-Unsubscribe=One-Click.');
        if (!(await leaveByLink(c.req.query('token')))) throw notFound();
        return c.body(null, 204);
      })
      // Programs that know only RFC 2369 open the address in a browser.
      .get(newsletterPaths.oneClick, (c) => {
        const token = c.req.query('token') ?? '';
        return c.redirect(`${newsletterPaths.leave}?token=${encodeURIComponent(token.slice(0, 100))}`, 302);
      })
  );
}
