import { Hono } from 'hono';
import { z } from 'zod/mini';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { addressKey } from '#platform/http/client-address.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { readBytes } from '#platform/http/request-body.server.ts';
import { log } from '#platform/log.server.ts';

const REPORT_BYTES = 8 * 1024;
const limit = { max: 20, seconds: 3600 };

const text = z.optional(z.string());
const report = z.object({
  'csp-report': z.object({ 'effective-directive': text, 'blocked-uri': text, 'document-uri': text }),
});

/** Removes the query, which may contain a token. */
function stripQuery(address: string | undefined, part: 'origin' | 'pathname'): string {
  const url = URL.parse(address ?? '');
  return (url ? url[part] : (address ?? '')).slice(0, 100);
}

export function cspReportsApi(): Hono<AppEnv> {
  return new Hono<AppEnv>().post('/api/csp-reports', async (c) => {
    await enforceLimit(`csp-report:${addressKey(c.var.clientAddress)}`, limit);
    const bytes = await readBytes(c.req.raw, REPORT_BYTES);
    const parsed = report.safeParse(parseJson(bytes.toString('utf8')));
    const violation = parsed.data?.['csp-report'];
    if (violation?.['effective-directive']) {
      log.warn(
        {
          directive: violation['effective-directive'].slice(0, 60),
          blocked: stripQuery(violation['blocked-uri'], 'origin'),
          path: stripQuery(violation['document-uri'], 'pathname'),
        },
        'a browser blocked something under the content security policy',
      );
    }
    return c.body(null, 204);
  });
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
