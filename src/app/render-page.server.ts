import { createHash } from 'node:crypto';
import * as build from 'virtual:react-router/server-build';
import type { Context } from 'hono';
import {
  createRequestHandler,
  generatePath,
  matchRoutes,
  RouterContextProvider,
  type ServerBuild,
} from 'react-router';
import { checkoutOrigins, packsVersion } from '#features/billing/service.server.ts';
import { locale, locales, m } from '#messages';
import { BoundedCache } from '#platform/bounded-cache.ts';
import type { Actor } from '#platform/http/actor.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { compress, type Encoding, encodingFor } from '#platform/http/compress.server.ts';
import { matchesEtag } from '#platform/http/etag.server.ts';
import { rememberLanguage } from '#platform/http/language.server.ts';
import { pageContext } from '#platform/http/page-context.server.ts';
import { notFound, Problem } from '#platform/http/problem.server.ts';
import { readBytes } from '#platform/http/request-body.server.ts';
import { appPolicy, publicPolicy } from '#platform/http/security-headers.server.ts';
import { stylesheet } from '#platform/http/static-files.server.ts';
import { withLocalizedPaths } from '#platform/localized-assets.server.ts';
import { settingsVersion, withSettingsPinned } from '#platform/settings/live-settings.server.ts';
import { localizedPath, splitLanguage } from '#shared/language-path.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { previewFramePath } from '#shared/preview-frame.ts';
import { plainErrorPage } from './pages/error/plain-error-page.server.ts';
import { bytesOf, type RenderedPage, toResponse } from './rendered-page.server.ts';
import { allPages, dashboard, isOffered } from './shell/site-pages.ts';
import { themeScript } from './shell/theme-script.ts';

const FORM_BYTES = 64 * 1024;

const handlers = new Map<string, ReturnType<typeof createRequestHandler>>();

/** Renders a page with React Router. If its URL has a language prefix, the links in the page get the same prefix. */
async function render(request: Request, context: RouterContextProvider): Promise<RenderedPage> {
  const language = splitLanguage(new URL(request.url).pathname).language;
  const key = `${locale()} ${language}`;
  let handler = handlers.get(key);
  if (!handler) {
    const server = build as unknown as ServerBuild;
    const assets = JSON.parse(withLocalizedPaths(JSON.stringify(server.assets), locale()));
    const basename = language ? `/${language}` : server.basename;
    handler = createRequestHandler({ ...server, assets, basename }, 'production');
    handlers.set(key, handler);
  }
  const response = await handler(request, context);
  const { status, headers } = response;
  const bytes = await bytesOf(response);
  const isLocalized = language && headers.get('content-type')?.startsWith('text/html');
  return { status, headers, bytes: isLocalized ? withLocalizedLinks(bytes) : bytes };
}

/** Returns whether a page exists under every language prefix; pages of single prompts do, though no list has them. */
export const hasLocalizedPath = (path: string): boolean =>
  (isBuilt(path) && path !== dashboard.path) || /^\/tools\/prompts\/[^/]+$/.test(path);

/** Adds the language prefix to links that the router did not generate, such as those of the cached shell. */
function withLocalizedLinks(page: Buffer): Buffer<ArrayBuffer> {
  const localize = (attribute: string, name: string, path: string) =>
    hasLocalizedPath(path) ? ` ${name}="${localizedPath(path)}` : attribute;
  return Buffer.from(page.toString().replace(/ (href|action)="(\/[^"?#]*)/g, localize));
}

/** Policies by allowed form targets and page script: both are known only at request time, as settings can change. */
const policies = new Map<string, string>();
function publicCsp({ checkout = false, script }: PageHandle = { page: 'public' }): string {
  const origins = checkout ? checkoutOrigins() : [];
  const key = `${origins.join(' ')} ${script ?? ''}`;
  const scripts = script === undefined ? [themeScript] : [themeScript, script];
  const policy = policies.get(key) ?? publicPolicy(scripts, origins);
  policies.set(key, policy);
  return policy;
}

interface RouteNode {
  path?: string;
  index?: boolean;
  id: string;
  children?: RouteNode[];
}

function tree(parentId?: string): RouteNode[] {
  return Object.values(build.routes)
    .filter((route) => route !== undefined && route.parentId === parentId)
    .map((route) => ({
      id: route!.id,
      path: route!.path,
      index: route!.index,
      children: route!.index ? undefined : tree(route!.id),
    }));
}
const routes = tree() as Parameters<typeof matchRoutes>[0];

export function pageRoutes(): string[] {
  const collect = (nodes: RouteNode[], base: string): string[] =>
    nodes.flatMap(({ path = '', index, children = [] }) => {
      const here = [base, path].filter(Boolean).join('/');
      return [...(index || (path && children.length === 0) ? [`/${here}`] : []), ...collect(children, here)];
    });
  return [...new Set(collect(tree(), ''))].sort();
}

let patterns: Array<{ path: string }> | undefined;

/** Returns the best match for a path among the full patterns of `pageRoutes`. */
export function matchPattern(path: string) {
  patterns ??= pageRoutes().map((pattern) => ({ path: pattern }));
  return matchRoutes(patterns, path)?.at(-1);
}

interface PageMatch {
  handle: PageHandle;
  acceptsForms: boolean;
  /** The path without a trailing slash, in the route's letter case, with minimal escaping. Null if no page has it. */
  canonical: string | null;
}

/** Caches matches by path, because the router ranks all routes again on each call. */
const matches = new BoundedCache<PageMatch>(200);

function match(pathname: string): PageMatch | null {
  const cached = matches.get(pathname);
  if (cached) return cached;
  const pageMatch = findMatch(pathname);
  return pageMatch && matches.set(pathname, pageMatch);
}

/** Matches without the cache. @throws Problem not_found for a path that cannot be decoded. */
function findMatch(pathname: string): PageMatch | null {
  if (!isDecodable(pathname)) throw notFound();
  const matched = matchRoutes(routes, pathname) ?? [];
  const leaf = matched.at(-1);
  const module = leaf && build.routes[(leaf.route as { id: string }).id]?.module;
  if (!module) return null;
  const pattern = matched.map(({ route }) => route.path).filter(Boolean);
  return {
    handle: module.handle as PageHandle,
    acceptsForms: module.action !== undefined,
    canonical: pattern.at(-1) === '*' ? null : generatePath(`/${pattern.join('/')}`, leaf.params),
  };
}

function isDecodable(pathname: string): boolean {
  try {
    return decodeURIComponent(pathname) !== '';
  } catch {
    return false;
  }
}

interface CachedPage {
  etag: string;
  policy: string;
  day: number;
  settings: number;
  packs: number;
  bodies: Record<Encoding, Buffer>;
  /** Whether the bodies have been, or are being, compressed at the highest quality. */
  recompressed: boolean;
  headers: Headers;
  query: readonly string[];
}

/** Bounded, because only existing pages are cached, each under its canonical path. */
const cache = new Map<string, CachedPage>();

const today = () => Math.floor(Date.now() / 86_400_000);

/** Returns whether a cached page is still right: pages may show dates, settings and the prices of packs. */
const isCurrent = ({ day, settings, packs }: CachedPage) =>
  day === today() && settings === settingsVersion() && packs === packsVersion();

/** Stands in for any signed-in user when a page is rendered for the cache; looking it up finds no user. */
const anyUser: Actor = { kind: 'user', userId: '', sessionId: '' };

const isBuilt = (path: string) => isOffered(path) && allPages.some((sitePage) => sitePage.path === path);

function renderPage(c: Context<AppEnv>, request: Request, actor = c.var.actor): Promise<RenderedPage> {
  const context = new RouterContextProvider();
  const { requestId, nonce, clientAddress } = c.var;
  context.set(pageContext, { actor, requestId, nonce, clientAddress, isBuilt });
  return render(request, context);
}

const hasParameter = (search: string, query: readonly string[] = []) =>
  query.length > 0 && query.some((name) => new URLSearchParams(search).has(name));

const cacheKey = (c: Context<AppEnv>, pathname: string) => `${c.var.actor.kind}:${locale()}:${pathname}`;

/** Renders a page and caches it. Responses other than 200 are returned without being cached. */
async function cachedPage(c: Context<AppEnv>, pathname: string, handle: PageHandle): Promise<Response> {
  const { actor } = c.var;
  // Read before rendering, so that a change during rendering makes this entry outdated.
  const versions = { day: today(), settings: settingsVersion(), packs: packsVersion() };
  const request = new Request(new URL(pathname, c.req.url));
  const rendered = await renderPage(c, request, actor.kind === 'user' ? anyUser : actor);
  const policy = publicCsp(handle);
  if (rendered.status !== 200) return toResponse(withPolicy(rendered, policy));
  const html = rendered.bytes;
  const bodies = await bodiesOf(html, 5);
  const etag = `W/"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`;
  const entry: CachedPage = {
    etag,
    policy,
    ...versions,
    bodies,
    recompressed: false,
    headers: rendered.headers,
    query: handle.query ?? [],
  };
  cache.set(cacheKey(c, pathname), entry);
  return respond(c, entry);
}

async function bodiesOf(html: Buffer, quality: 5 | 11): Promise<CachedPage['bodies']> {
  const [br, gzip] = await Promise.all([compress(html, 'br', quality), compress(html, 'gzip', quality)]);
  return { br, gzip, identity: html };
}

/** Compresses a cached page at the highest quality in the background: it takes 30 to 60 ms. */
async function recompress(entry: CachedPage): Promise<void> {
  if (entry.recompressed) return;
  entry.recompressed = true;
  entry.bodies = await bodiesOf(entry.bodies.identity, 11);
}

function respond(c: Context<AppEnv>, entry: CachedPage): Response {
  const encoding = encodingFor(c.req.header('accept-encoding'));
  const headers: Record<string, string> = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': entry.policy,
    'cache-control': 'private, no-cache',
    etag: entry.etag,
    vary: locales.length > 1 ? 'accept-encoding, accept-language, cookie' : 'accept-encoding, cookie',
  };
  const robots = entry.headers.get('x-robots-tag');
  if (robots) headers['x-robots-tag'] = robots;
  if (matchesEtag(c.req.header('if-none-match'), entry.etag))
    return new Response(null, { status: 304, headers });
  if (encoding !== 'identity') headers['content-encoding'] = encoding;
  return new Response(new Uint8Array(entry.bodies[encoding]), { headers });
}

function withPolicy(rendered: RenderedPage, policy: string): RenderedPage {
  rendered.headers.set('content-security-policy', policy);
  if (!rendered.headers.has('cache-control')) rendered.headers.set('cache-control', 'private, no-store');
  return rendered;
}

async function compressedResponse(
  c: Context<AppEnv>,
  rendered: RenderedPage,
  useCache: boolean,
): Promise<Response> {
  const encoding = encodingFor(c.req.header('accept-encoding'));
  const { status, headers, bytes } = rendered;
  const isText = /^text\/|json|x-script/.test(headers.get('content-type') ?? '');
  if (encoding === 'identity' || !isText || bytes.length < 1024) return toResponse(rendered);
  headers.set('content-encoding', encoding);
  headers.append('vary', 'accept-encoding');
  headers.delete('content-length');
  const compressed = await (useCache ? cachedCompress(bytes, encoding) : compress(bytes, encoding, 3));
  return new Response(new Uint8Array(compressed), { status, headers });
}

const compressedPages = new BoundedCache<Buffer>(100);

/** Compresses with a cache by content, for pages that are the same for many visitors. */
async function cachedCompress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  const key = encoding + createHash('sha256').update(bytes).digest('base64');
  return compressedPages.get(key) ?? compressedPages.set(key, await compress(bytes, encoding, 5));
}

async function boundedRequest(c: Context<AppEnv>): Promise<Request> {
  const { method, raw } = c.req;
  if (method === 'GET' || method === 'HEAD') return raw;
  if (!/^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? '')) {
    throw new Problem('unsupported_type', m.request_not_form());
  }
  // React Router compares the origin with the URL, which is http behind a TLS proxy. It is already checked here.
  const { pathname, search, origin } = new URL(c.req.url);
  const url = new URL(pathname + search, c.req.header('origin') ?? origin);
  const body = new Uint8Array(await readBytes(raw, FORM_BYTES));
  return new Request(url, { method, headers: raw.headers, body });
}

/** Returns whether a page keeps its language prefix. On app pages, signed-in users have a stored language instead. */
const keepsLanguagePrefix = (c: Context<AppEnv>, path: string, kind: PageHandle['page']) =>
  hasLocalizedPath(path) && !(kind === 'app' && c.var.actor.kind === 'user');

export const page = (c: Context<AppEnv>): Promise<Response> => withSettingsPinned(() => pageOf(c));

async function pageOf(c: Context<AppEnv>): Promise<Response> {
  const { method } = c.req;
  // Not `c.req.path`, which Hono has partly decoded: the router decodes the path itself.
  const { pathname, search } = new URL(c.req.url);
  const isRead = method === 'GET' || method === 'HEAD';
  const entry = isRead && cache.get(cacheKey(c, pathname));
  if (entry && isCurrent(entry) && !hasParameter(search, entry.query)) {
    void recompress(entry);
    return respond(c, entry);
  }
  const { language, path } = splitLanguage(pathname);
  const matched = match(path.replace(/\.data$/, ''));
  // Null only for a path with a line break, which even the not-found route does not match.
  if (!matched) throw notFound();
  const { handle, acceptsForms, canonical } = matched;
  if (!isRead && (method !== 'POST' || !acceptsForms)) {
    c.header('allow', acceptsForms ? 'GET, HEAD, POST' : 'GET, HEAD');
    throw new Problem('method_not_allowed', m.request_method());
  }
  const { page: kind, cache: cached = true, query } = handle ?? {};
  const isDocument = isRead && !pathname.endsWith('.data');
  if (isDocument && language && !keepsLanguagePrefix(c, canonical ?? path, kind)) {
    rememberLanguage(c, language);
    // A path with two leading slashes would redirect to another site.
    return c.redirect((canonical ?? path).replace(/^\/+/, '/') + search);
  }
  const address = language && canonical !== null ? localizedPath(canonical, language) : canonical;
  if (isDocument && address !== null && pathname !== address) return c.redirect(address + search, 308);
  if (isDocument && kind === 'public' && cached !== false && cached !== 'never') {
    const isCacheable = cached === true || c.var.actor.kind === 'guest';
    if (isCacheable && !hasParameter(search, query)) return cachedPage(c, pathname, handle);
  }
  const rendered = await renderPage(c, await boundedRequest(c));
  const isApp = handle?.page === 'app';
  const frame = new URL(c.req.url).host + previewFramePath;
  const policy = isApp ? appPolicy(c.var.nonce, frame) : publicCsp(handle);
  return compressedResponse(c, withPolicy(rendered, policy), !isApp && cached !== 'never');
}

/** Renders an error page without the database and without React. */
export function errorPage(c: Context<AppEnv>, problem: Problem): Response {
  const headers: Record<string, string> = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': publicCsp(),
    ...problem.headers,
  };
  const error = { status: problem.status, message: problem.message, requestId: c.var.requestId };
  return c.html(plainErrorPage(error, stylesheet()), problem.status as 500, headers);
}
