import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { url as enhanceUrl } from 'virtual:enhance';
import { renderToPipeableStream } from 'react-dom/server';
import {
  type EntryContext,
  type HandleErrorFunction,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router';
import { locale } from '#messages';
import { BoundedCache } from '#platform/bounded-cache.ts';
import { pageContext } from '#platform/http/page-context.server.ts';
import { localizedPathOf, withLocalizedPaths } from '#platform/localized-assets.server.ts';
import { log } from '#platform/log.server.ts';
import { settingsVersion } from '#platform/settings/live-settings.server.ts';
import { splitLanguage } from '#shared/language-path.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { withAppHead } from './app-head.server.ts';
import { responseWithoutBody } from './rendered-page.server.ts';
import { scriptsAfterPaint } from './scripts-after-paint.server.ts';
import { earlyPressScript } from './shell/early-press.ts';
import { type RequestInfo, RequestInfoContext } from './shell/request-info.ts';
import { shellParts } from './shell/shell-html.server.tsx';
import { themeScript } from './shell/theme-script.ts';

export const streamTimeout = 5_000;

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted) return;
  const { requestId } = (context as RouterContextProvider).get(pageContext);
  log.error({ error, requestId, path: new URL(request.url).pathname }, 'a page failed');
};

const handlesOf = ({ staticHandlerContext: { matches, loaderData }, routeModules }: EntryContext) =>
  matches.map(({ route }) => ({
    handle: routeModules[route.id]?.handle as PageHandle | undefined,
    data: loaderData[route.id] as unknown,
  }));

function createRequestInfo(entry: EntryContext, context: RouterContextProvider, path: string): RequestInfo {
  const { nonce, requestId } = context.get(pageContext);
  const isApp = handlesOf(entry).some(({ handle }) => handle?.page === 'app');
  return {
    requestId,
    nonce: isApp ? nonce : undefined,
    shell: shellParts(path),
    firstScript: isApp ? `${themeScript};${earlyPressScript}` : themeScript,
    enhanceUrl: withLocalizedPaths(enhanceUrl, locale()),
  };
}

/**
 * Completes the head. An app page loads its style sheets and fonts before its scripts, so that it paints early. For
 * guests the scripts wait for the first paint, because guests start by reading what the tool does.
 */
function completePage(
  bytes: Buffer,
  entry: EntryContext,
  { nonce }: RequestInfo,
  isGuest: boolean,
): Buffer<ArrayBuffer> {
  const headEnd = bytes.indexOf('</head>');
  const head = withAppHead(bytes.toString('utf8', 0, headEnd));
  const page = Buffer.concat([
    Buffer.from(nonce === undefined ? head : withPreloads(head, entry, nonce)),
    bytes.subarray(headEnd),
  ]);
  return isGuest && nonce !== undefined ? Buffer.from(scriptsAfterPaint(page.toString(), nonce)) : page;
}

function withPreloads(html: string, entry: EntryContext, nonce: string): string {
  const modules = handlesOf(entry).flatMap(({ handle, data }) => handle?.preloads?.(data) ?? []);
  const paths = modules.flatMap((module) => localizedPathOf(module, locale()) ?? []);
  const links = paths.map((path) => `<link rel="modulepreload" href="${path}" nonce="${nonce}"/>`);
  return html
    .replace('<link rel="modulepreload"', (first) => links.join('') + first)
    .replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"');
}

/**
 * Rendered public pages by everything that determines them: URL, language, day, settings and loaded data. App pages
 * are not cached, as they differ from request to request.
 */
const rendered = new BoundedCache<Buffer<ArrayBuffer>>(50);

function renderedKey(request: Request, entry: EntryContext): string {
  const { loaderData, actionData, errors } = entry.staticHandlerContext;
  const day = Math.floor(Date.now() / 86_400_000);
  return JSON.stringify([locale(), request.url, day, settingsVersion(), loaderData, actionData, errors]);
}

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const info = createRequestInfo(entry, context, splitLanguage(new URL(request.url).pathname).path);
  const isGuest = context.get(pageContext).actor.kind === 'guest';
  headers.set('content-type', 'text/html; charset=utf-8');
  const isCacheable = handlesOf(entry).every(({ handle }) => handle?.cache !== 'never');
  const key = info.nonce === undefined && status === 200 && isCacheable ? renderedKey(request, entry) : null;
  const cachedPage = key === null ? undefined : rendered.get(key);
  if (cachedPage !== undefined) return responseWithoutBody(cachedPage, { status, headers });
  return new Promise<Response>((resolve, reject) => {
    let finalStatus = status;
    const page = (
      <RequestInfoContext value={info}>
        <ServerRouter context={entry} url={request.url} nonce={info.nonce} />
      </RequestInfoContext>
    );
    const stream = renderToPipeableStream(page, {
      nonce: info.nonce,
      // Otherwise React sends large Suspense boundaries later, with a script to move them; public pages run none.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady() {
        const body = new PassThrough();
        stream.pipe(body);
        buffer(body)
          .then((bytes) => {
            const completed = completePage(bytes, entry, info, isGuest);
            if (key !== null && finalStatus === 200) rendered.set(key, completed);
            resolve(responseWithoutBody(completed, { status: finalStatus, headers }));
          })
          .catch(reject);
      },
      onShellError: reject,
      onError(error) {
        finalStatus = 500;
        log.error({ error, requestId: info.requestId }, 'a page failed to render');
      },
    });
  });
}
