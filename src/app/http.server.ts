import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono } from 'hono';
import { accountsApi } from '../features/accounts/api.server.ts';
import { oauthApi } from '../features/accounts/oauth/api.server.ts';
import { profileApi } from '../features/accounts/profile/api.server.ts';
import { readSession } from '../features/accounts/sessions/service.server.ts';
import { billingApi } from '../features/billing/api.server.ts';
import { changesApi } from '../features/billing/changes/api.server.ts';
import { checkoutApi } from '../features/billing/checkout/api.server.ts';
import { webhooksApi } from '../features/billing/inbox/api.server.ts';
import { blogApi } from '../features/blog/api.server.ts';
import { chatApi } from '../features/chat/api.server.ts';
import { filesApi } from '../features/chat/attachments/api.server.ts';
import { counterApi } from '../features/counter/api.server.ts';
import { creditsApi } from '../features/credits/api.server.ts';
import { generationsApi } from '../features/generations/api.server.ts';
import { imagesApi } from '../features/image/api.server.ts';
import { documentsApi } from '../features/pdf/api.server.ts';
import { promptsApi } from '../features/prompts/api.server.ts';
import { scriptApi } from '../features/script/api.server.ts';
import { newsletterApi } from '../features/support/newsletter/api.server.ts';
import { worksApi } from '../features/works/api.server.ts';
import { writerApi } from '../features/writer/api.server.ts';
import { config } from '../platform/config/config.server.ts';
import { clientAddress, parseTrustedNetworks } from '../platform/http/client-address.server.ts';
import type { AppEnv } from '../platform/http/env.server.ts';
import { answerProblem, toProblem } from '../platform/http/errors.server.ts';
import { setBaseHeaders } from '../platform/http/headers.server.ts';
import { countRequest } from '../platform/http/metrics.server.ts';
import { fromOurPage, knownHost } from '../platform/http/origin.server.ts';
import { notFound, Problem } from '../platform/http/problem.server.ts';
import { staticFile } from '../platform/http/static-files.server.ts';
import { log } from '../platform/log/log.server.ts';
import { countedPage } from './counted-pages.server.ts';
import { crawlersApi } from './crawlers.server.ts';
import { cspReportsApi } from './csp-reports.server.ts';
import { exportApi } from './export/api.server.ts';
import { operationsApi } from './operations.server.ts';
import { errorPage, page } from './page.server.ts';
import { pageCardsApi } from './page-cards.server.ts';

const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

/** Requests of other servers, proven by a signature or by a mail's token; neither an origin nor a session counts there. */
const provesItself = (method: string, path: string) =>
  method === 'POST' && (path === '/api/webhooks/creem' || path === '/api/newsletter/unsubscribe');

/** Whether the site serves; until then only health is answered. While it drains, runs and their readers are served too. */
export const readiness = { ready: false, draining: false };

const ofRuns = (path: string) => path.startsWith('/api/generations/');

/** Every mount and middleware, in the order in which a request meets them. */
export function site(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const trusted = parseTrustedNetworks(config().TRUSTED_PROXIES);

  app.use(async (c, next) => {
    const startedAt = performance.now();
    c.set('requestId', randomBytes(9).toString('base64url'));
    c.set('nonce', randomBytes(16).toString('base64'));
    c.set(
      'clientAddress',
      clientAddress(getConnInfo(c).remote.address ?? '', c.req.header('x-forwarded-for'), trusted),
    );
    c.set('actor', { kind: 'guest' });
    c.env.outgoing.setHeader('x-request-id', c.var.requestId);
    await next();
    const durationMs = performance.now() - startedAt;
    countRequest(c.res.status, durationMs);
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
  });
  app.use(async (c, next) => {
    if (!methods.has(c.req.method)) {
      c.header('allow', [...methods].join(', '));
      throw new Problem('method_not_allowed', 'This method is not allowed.');
    }
    await next();
  });
  // Before the host is checked: probes of a platform ask by the address of the process.
  app.route(
    '/',
    operationsApi(() => readiness.ready),
  );
  app.use(async (c, next) => {
    if (!knownHost(c.req.header('host')))
      throw new Problem('bad_request', 'This site does not answer to that name.');
    const file = staticFile(c);
    if (file) return file;
    if (!readiness.ready && !(readiness.draining && ofRuns(c.req.path)))
      throw new Problem('unavailable', 'The site is starting or restarting. Please try again in a moment.', {
        retryAfter: 3,
      });
    const { origin, 'sec-fetch-site': fetchSite, host } = c.req.header();
    if (provesItself(c.req.method, c.req.path)) return next();
    if (!fromOurPage(c.req.method, { origin, site: fetchSite, host }))
      throw new Problem('forbidden', 'This request did not come from our pages.');
    c.set('actor', await readSession(c.req.header('cookie')));
    await next();
  });
  app.route('/', accountsApi());
  app.route('/', oauthApi());
  app.route('/', profileApi());
  app.route('/', exportApi());
  app.route('/', creditsApi());
  app.route('/', checkoutApi());
  app.route('/', changesApi());
  app.route('/', billingApi());
  app.route('/', webhooksApi());
  app.route('/', chatApi());
  app.route('/', filesApi());
  app.route('/', scriptApi());
  app.route('/', worksApi());
  app.route('/', documentsApi());
  app.route('/', writerApi());
  app.route('/', generationsApi());
  app.route('/', imagesApi());
  app.route('/', promptsApi());
  app.route('/', blogApi());
  app.route('/', newsletterApi());
  app.route('/', crawlersApi());
  app.route('/', pageCardsApi());
  app.route('/', cspReportsApi());
  app.route('/', counterApi(countedPage));
  app.all('/api/*', (c) => {
    const allowed = [...methods].filter(
      (method) => handlers(app, method, c.req.path) > handlers(app, 'TRACE', c.req.path),
    );
    if (allowed.length === 0) throw notFound();
    c.header('allow', (allowed.includes('GET') ? ['HEAD', ...allowed] : allowed).join(', '));
    throw new Problem('method_not_allowed', 'This method is not allowed.');
  });
  app.all('*', page);
  app.onError((error, c) => {
    const problem = toProblem(error, c.var.requestId, c.req.path);
    // A browser itself goes to the addresses of a provider's sign-in; everything else of the API is asked by a program.
    const visited = !c.req.path.startsWith('/api/') || c.req.path.startsWith('/api/auth/');
    const wantsPage = visited && c.req.header('accept')?.includes('text/html');
    return wantsPage ? errorPage(c, problem) : answerProblem(c, problem);
  });
  return app;
}

/** How many handlers answer a method on a path; one that nothing registers counts those for all methods. */
function handlers(app: Hono<AppEnv>, method: string, path: string): number {
  return app.router.match(method, path)[0].length;
}

/** The HTTP server of the site, not yet listening. */
export function createSiteServer(): Server {
  const listener = getRequestListener(site().fetch, { overrideGlobalObjects: false });
  const server = createServer(
    // 10 MB over a line of 1 Mbit/s take a minute and a half.
    { requestTimeout: 180_000, headersTimeout: 20_000, keepAliveTimeout: 65_000, maxHeaderSize: 16 * 1024 },
    (request, response) => {
      setBaseHeaders(response, config().secure);
      void listener(request, response);
    },
  );
  server.maxRequestsPerSocket = 0;
  return server;
}
