import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { routePath } from 'hono/route';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { isTrusted, type TrustedNetworks } from '#platform/http/client-address.server.ts';
import { kindOfRequest } from '#platform/metrics/counters.server.ts';
import { isTracing, startSpan, withinSpan } from '#platform/tracing/tracing.server.ts';
import { splitLanguage } from '#shared/language-path.ts';
import { matchPattern } from './render-page.server.ts';

/** Returns the pattern of the matched route, because the URL itself may contain personal data. */
function routeOf(c: Context<AppEnv>): string {
  const route = routePath(c);
  if (!/^\/?\*$/.test(route)) return route;
  const { path } = splitLanguage(c.req.path.replace(/\.data$/, ''));
  return matchPattern(path)?.route.path ?? '/*';
}

/** Returns the trusted proxy's `traceparent`; a visitor's header is ignored, as it would choose our trace ids. */
function parentOf(c: Context<AppEnv>, trusted: TrustedNetworks): string | null {
  const { address } = getConnInfo(c).remote;
  return (isTrusted(trusted, address) && c.req.header('traceparent')) || null;
}

/** Records a span until the response ends. Static files and health checks are left out: they are too frequent. */
export async function traceRequest(
  c: Context<AppEnv>,
  { trusted, methods }: { trusted: TrustedNetworks; methods: ReadonlySet<string> },
  answer: () => Promise<void>,
): Promise<void> {
  if (!isTracing()) return answer();
  const kind = kindOfRequest(c.req.path);
  if (kind === 'file' || kind === 'health') return answer();
  const method = methods.has(c.req.method) ? c.req.method : '_OTHER';
  const span = startSpan(method, {
    kind: 'server',
    attributes: { 'http.request.method': method },
    parent: parentOf(c, trusted),
  });
  let failure: string | undefined;
  const { outgoing } = c.env;
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) span.set({ 'site.answer.cut': true });
    span.end(failure);
  });
  await withinSpan(span, answer);
  const { status } = c.res;
  const route = routeOf(c);
  if (status >= 500) failure = String(status);
  span.rename(`${method} ${route}`);
  span.set({ 'http.route': route, 'http.response.status_code': status });
}
