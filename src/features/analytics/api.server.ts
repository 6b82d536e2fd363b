import { type Context, Hono } from 'hono';
import { isbot } from 'isbot';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { addressKey } from '#platform/http/client-address.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { readJson } from '#platform/http/request-body.server.ts';
import { consentVersion } from '#shared/consent.ts';
import { maxViewBytes, viewSchema } from './contract.ts';
import { countView, networkHash } from './service.server.ts';

/** Per network, which a school or an office may share. */
const limit = { max: 600, seconds: 600 };

/** Global Privacy Control (https://www.w3.org/TR/gpc/), prefetched pages that nobody has seen yet, and bots. */
function isUncounted(c: Context<AppEnv>): boolean {
  return (
    c.req.header('sec-gpc') === '1' ||
    /prefetch|prerender/.test(c.req.header('sec-purpose') ?? '') ||
    isbot(c.req.header('user-agent') ?? '')
  );
}

/**
 * The response does not show whether the view was counted. @param pageOf returns the page or pattern of a path, so that
 * no id is counted.
 */
export function analyticsApi(pageOf: (path: string) => string | null): Hono<AppEnv> {
  return new Hono<AppEnv>().post('/api/events', async (c) => {
    const { consent, path, referrer, width } = await readJson(c, viewSchema, maxViewBytes);
    if (consent !== consentVersion || isUncounted(c)) return c.body(null, 204);
    const { clientAddress } = c.var;
    await enforceLimit(`view:${networkHash(addressKey(clientAddress))}`, limit);
    const page = pageOf(path);
    if (page !== null)
      await countView({
        page,
        referrer,
        acceptLanguage: c.req.header('accept-language'),
        width,
        clientAddress,
      });
    return c.body(null, 204);
  });
}
