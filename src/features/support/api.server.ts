import { Hono } from 'hono';
import { m } from '#messages';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { notFound, Problem } from '#platform/http/problem.server.ts';
import { readBytes, readJson } from '#platform/http/request-body.server.ts';
import {
  confirmDays,
  newsletterBody,
  newsletterHoneypotField,
  newsletterPaths,
} from './newsletter/newsletter-contract.ts';
import { requestSubscription, unsubscribeByLink } from './newsletter/newsletter-subscription.server.ts';

const FORM_BYTES = 8 * 1024;

export function newsletterApi(): Hono<AppEnv> {
  return (
    new Hono<AppEnv>()
      .post(newsletterPaths.api, async (c) => {
        const { email, source, [newsletterHoneypotField]: trap } = await readJson(c, newsletterBody);
        await requestSubscription({ email, source, trap }, c.var.clientAddress);
        return c.json({ message: m.newsletter_asked({ days: confirmDays }) });
      })
      // RFC 8058: mail servers post it as either kind of form, without cookie or origin; the token is the proof.
      .post(newsletterPaths.oneClick, async (c) => {
        const body = (await readBytes(c.req.raw, FORM_BYTES)).toString('latin1');
        if (!/\bList-Unsubscribe\b.*\bOne-Click\b/s.test(body))
          throw new Problem('bad_request', m.newsletter_one_click_only());
        if (!(await unsubscribeByLink(c.req.query('token')))) throw notFound();
        return c.body(null, 204);
      })
      // Programs that support only RFC 2369 open the address in a browser.
      .get(newsletterPaths.oneClick, (c) => {
        const token = c.req.query('token') ?? '';
        return c.redirect(`${newsletterPaths.leave}?token=${encodeURIComponent(token.slice(0, 100))}`, 302);
      })
  );
}
