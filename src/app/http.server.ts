import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono, type Next } from 'hono';
import { onSessionEnd, readSession } from '#features/accounts/service.server.ts';
import { analyticsApi } from '#features/analytics/api.server.ts';
import { priceHeader } from '#features/credits/contract.ts';
import { checkShownPrices, idempotencyKeyOf } from '#features/generations/service.server.ts';
import { answerApiProblem, isApiPath } from '#features/openai/service.server.ts';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { clientAddress, parseTrustedNetworks } from '#platform/http/client-address.server.ts';
import { answerProblem, toProblem } from '#platform/http/error-mapper.server.ts';
import { requestLanguage } from '#platform/http/language.server.ts';
import { isFromOwnPage, isKnownHost } from '#platform/http/origin-check.server.ts';
import { notFound, Problem } from '#platform/http/problem.server.ts';
import { setBaseHeaders } from '#platform/http/security-headers.server.ts';
import { staticFile } from '#platform/http/static-files.server.ts';
import { withLocale } from '#platform/locale.server.ts';
import { log } from '#platform/log.server.ts';
import { countRequest } from '#platform/metrics/counters.server.ts';
import { activeTrace } from '#platform/tracing/tracing.server.ts';
import { admin } from './admin/admin.server.tsx';
import { brandFilesApi, brandIconResponse } from './brand-files.server.ts';
import { cspReportsApi } from './csp-reports.server.ts';
import { probeApi } from './doctor/probe-api.server.ts';
import { exportApi } from './export/export-api.server.ts';
import { features } from './features.ts';
import { healthApi } from './health-and-metrics.server.ts';
import { offlineApi } from './offline/offline-api.server.ts';
import { pageViewPath } from './page-view-path.server.ts';
import { previewFrameApi } from './preview-frame.server.ts';
import { errorPage, page } from './render-page.server.ts';
import { traceRequest } from './request-span.server.ts';
import { socialCardsApi } from './social-cards.server.ts';
import { wellKnownFilesApi } from './well-known-files.server.ts';

const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

/** Requests authenticated by a signature or an email token, for which neither origin nor session is checked. */
const carriesOwnProof = (method: string, path: string) =>
  method === 'POST' && (path === '/api/webhooks/creem' || path === '/api/newsletter/unsubscribe');

/** Before `ready`, only health checks and static files are served; while draining, `/api/generations/` is too. */
export const readiness = { ready: false, draining: false };

const isRunPath = (path: string) => path.startsWith('/api/generations/');

export function site(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const trusted = parseTrustedNetworks(config().TRUSTED_PROXIES);

  async function answerRequest(c: Context<AppEnv>, next: Next): Promise<void> {
    const startedAt = performance.now();
    c.set('requestId', activeTrace()?.traceId ?? randomBytes(9).toString('base64url'));
    c.set('nonce', randomBytes(16).toString('base64'));
    c.set(
      'clientAddress',
      clientAddress(getConnInfo(c).remote.address ?? '', c.req.header('x-forwarded-for'), trusted),
    );
    c.set('actor', { kind: 'guest' });
    c.set('whileSessionLives', onSessionEnd);
    c.env.outgoing.setHeader('x-request-id', c.var.requestId);
    await withLocale(requestLanguage(c), next);
    const durationMs = performance.now() - startedAt;
    countRequest(c.req.path, c.res.status, durationMs);
    log.info(
      {
        requestId: c.var.requestId,
        method: c.req.method,
        path: c.req.path,
        status: c.res.status,
        ms: Math.round(durationMs),
      },
      'request',
    );
  }

  app.use((c, next) => traceRequest(c, { trusted, methods }, () => answerRequest(c, next)));
  app.use(async (c, next) => {
    if (!methods.has(c.req.method)) {
      c.header('allow', [...methods].join(', '));
      throw new Problem('method_not_allowed', m.request_method());
    }
    await next();
  });
  // Before the host check, because a platform's health probes use the IP address of the process.
  app.route(
    '/',
    healthApi(() => readiness.ready),
  );
  app.use(async (c, next) => {
    if (!isKnownHost(c.req.header('host'))) throw new Problem('bad_request', m.request_host());
    const file = brandIconResponse(c) ?? staticFile(c);
    if (file) return file;
    if (!readiness.ready && !(readiness.draining && isRunPath(c.req.path)))
      throw new Problem('unavailable', m.site_starting(), { retryAfter: 3 });
    if (isApiPath(c.req.path)) return next();
    const { origin, 'sec-fetch-site': fetchSite, host } = c.req.header();
    if (carriesOwnProof(c.req.method, c.req.path)) return next();
    if (!isFromOwnPage(c.req.method, { origin, site: fetchSite, host }))
      throw new Problem('forbidden', m.request_foreign());
    c.set('actor', await readSession(c.req.header('cookie')));
    await withLocale(requestLanguage(c), next);
  });
  app.use('/api/*', async (c, next) => {
    const shownVersion = c.req.header(priceHeader);
    await checkShownPrices({ actor: c.var.actor, input: { shownVersion, key: idempotencyKeyOf(c) } });
    await next();
  });
  for (const api of features.flatMap((feature) => feature.api ?? [])) app.route('/', api());
  app.route('/', exportApi());
  app.route('/', wellKnownFilesApi());
  app.route('/', socialCardsApi());
  app.route('/', brandFilesApi());
  app.route('/', offlineApi());
  app.route('/', cspReportsApi());
  app.route('/', previewFrameApi());
  app.route('/', probeApi());
  app.route('/', analyticsApi(pageViewPath));
  app.all('/api/*', (c) => {
    const allowed = [...methods].filter(
      (method) => countHandlers(app, method, c.req.path) > countHandlers(app, 'TRACE', c.req.path),
    );
    if (allowed.length === 0) throw notFound();
    c.header('allow', (allowed.includes('GET') ? ['HEAD', ...allowed] : allowed).join(', '));
    throw new Problem('method_not_allowed', m.request_method());
  });
  app.all('/admin/*', admin);
  app.all('*', page);
  app.onError((error, c) => {
    const problem = toProblem(error, c.var.requestId, c.req.path);
    if (isApiPath(c.req.path)) return answerApiProblem(c, problem);
    // Browsers navigate to the sign-in URLs of providers; only scripts call the rest of the API.
    const isNavigation = !c.req.path.startsWith('/api/') || c.req.path.startsWith('/api/auth/');
    const wantsPage = isNavigation && c.req.header('accept')?.includes('text/html');
    return wantsPage ? errorPage(c, problem) : answerProblem(c, problem);
  });
  return app;
}

function countHandlers(app: Hono<AppEnv>, method: string, path: string): number {
  return app.router.match(method, path)[0].length;
}

export function createSiteServer(): Server {
  const listener = getRequestListener(site().fetch);
  const server = createServer(
    // An upload of 10 MB at 1 Mbit/s takes about 90 seconds.
    { requestTimeout: 180_000, headersTimeout: 20_000, keepAliveTimeout: 65_000, maxHeaderSize: 16 * 1024 },
    (request, response) => {
      setBaseHeaders(response, config().secure, config().TRANSCRIPTION_MODEL !== undefined);
      void listener(request, response);
    },
  );
  server.maxRequestsPerSocket = 0;
  return server;
}
