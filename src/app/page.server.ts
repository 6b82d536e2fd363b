import { createHash } from 'node:crypto';
import * as build from 'virtual:react-router/server-build';
import type { Context } from 'hono';
import { createRequestHandler, matchRoutes, RouterContextProvider, type ServerBuild } from 'react-router';
import { readBytes } from '../platform/http/body.server.ts';
import { compress, type Encoding, encodingFor } from '../platform/http/compress.server.ts';
import type { AppEnv } from '../platform/http/env.server.ts';
import { appPolicy, publicPolicy } from '../platform/http/headers.server.ts';
import { pageContext } from '../platform/http/page-context.server.ts';
import { Problem } from '../platform/http/problem.server.ts';
import type { PageHandle } from '../shared/page-handle.ts';
import { plainErrorPage } from './pages/plain-error.server.ts';
import { themeScript } from './shell/theme-script.ts';

const FORM_BYTES = 64 * 1024;

const render = createRequestHandler(build as unknown as ServerBuild, 'production');
const publicCsp = publicPolicy([themeScript]);

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

/** The handle of the route that answers a path; null for none of ours. */
function handleOf(pathname: string): PageHandle | null {
  const leaf = matchRoutes(routes, pathname)?.at(-1);
  const module = leaf ? build.routes[(leaf.route as { id: string }).id]?.module : undefined;
  return (module?.handle as PageHandle | undefined) ?? null;
}

interface Cached {
  etag: string;
  bodies: Record<Encoding, Buffer>;
  headers: Headers;
}

/** Whole public pages, by path and by signed in or not. Only routes that exist are kept, so the map is bounded. */
const cache = new Map<string, Cached>();

function renderPage(c: Context<AppEnv>, request: Request): Promise<Response> {
  const context = new RouterContextProvider();
  const { actor, requestId, nonce, clientAddress } = c.var;
  context.set(pageContext, { actor, requestId, nonce, clientAddress });
  return render(request, context);
}

async function cachedPage(c: Context<AppEnv>): Promise<Response> {
  const key = `${c.var.actor.kind}:${c.req.path}`;
  let entry = cache.get(key);
  if (!entry) {
    const url = new URL(c.req.url);
    url.search = '';
    const response = await renderPage(c, new Request(url));
    if (response.status !== 200) return withPolicy(response, publicCsp);
    const html = Buffer.from(await response.arrayBuffer());
    const [br, gzip] = await Promise.all([compress(html, 'br', 11), compress(html, 'gzip', 11)]);
    const etag = `W/"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`;
    entry = { etag, bodies: { br, gzip, identity: html }, headers: response.headers };
    cache.set(key, entry);
  }
  const encoding = encodingFor(c.req.header('accept-encoding'));
  const headers: Record<string, string> = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': publicCsp,
    'cache-control': 'private, no-cache',
    etag: entry.etag,
    vary: 'accept-encoding, cookie',
  };
  const robots = entry.headers.get('x-robots-tag');
  if (robots) headers['x-robots-tag'] = robots;
  if (c.req.header('if-none-match') === entry.etag) return new Response(null, { status: 304, headers });
  if (encoding !== 'identity') headers['content-encoding'] = encoding;
  return new Response(new Uint8Array(entry.bodies[encoding]), { headers });
}

function withPolicy(response: Response, policy: string): Response {
  response.headers.set('content-security-policy', policy);
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'private, no-store');
  return response;
}

async function compressed(c: Context<AppEnv>, response: Response): Promise<Response> {
  const encoding = encodingFor(c.req.header('accept-encoding'));
  const type = response.headers.get('content-type') ?? '';
  if (encoding === 'identity' || !response.body || !/^text\/|json|x-script/.test(type)) return response;
  const bytes = Buffer.from(await response.arrayBuffer());
  if (bytes.length < 1024) return new Response(bytes, response);
  response.headers.set('content-encoding', encoding);
  response.headers.append('vary', 'accept-encoding');
  response.headers.delete('content-length');
  return new Response(new Uint8Array(await compress(bytes, encoding, 4)), response);
}

/** The request for React Router, its form read within bounds. */
async function bounded(c: Context<AppEnv>): Promise<Request> {
  const { method, raw, url } = { method: c.req.method, raw: c.req.raw, url: c.req.url };
  if (method === 'GET' || method === 'HEAD') return raw;
  if (!/^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? '')) {
    throw new Problem('unsupported_type', 'The request must be a form.');
  }
  return new Request(url, {
    method,
    headers: raw.headers,
    body: new Uint8Array(await readBytes(raw, FORM_BYTES)),
  });
}

/** Every page: public ones from the cache, app pages rendered each time with their own nonce. */
export async function page(c: Context<AppEnv>): Promise<Response> {
  const handle = handleOf(c.req.path.replace(/\.data$/, ''));
  const read = c.req.method === 'GET' || c.req.method === 'HEAD';
  if (!read && c.req.method !== 'POST')
    throw new Problem('method_not_allowed', 'This method is not allowed.');
  if (read && handle?.page === 'public' && handle.cache !== false && !c.req.path.endsWith('.data'))
    return cachedPage(c);
  const response = await renderPage(c, await bounded(c));
  return compressed(c, withPolicy(response, handle?.page === 'app' ? appPolicy(c.var.nonce) : publicCsp));
}

/** The page for an error outside the router: it needs neither the database nor React. */
export function errorPage(c: Context<AppEnv>, problem: Problem): Response {
  const headers: Record<string, string> = { 'content-security-policy': publicCsp };
  if (problem.retryAfter !== undefined) headers['retry-after'] = String(problem.retryAfter);
  return c.html(
    plainErrorPage(problem.status, problem.message, c.var.requestId),
    problem.status as 500,
    headers,
  );
}
