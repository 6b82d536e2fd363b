import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { url as enhanceUrl } from 'virtual:enhance';
import { renderToPipeableStream } from 'react-dom/server';
import {
  type EntryContext,
  type HandleErrorFunction,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router';
import { locale } from '#messages';
import { pageContext } from '#platform/http/page-context.server.ts';
import { localizedPathOf, withLocalizedPaths } from '#platform/localized-assets.server.ts';
import { log } from '#platform/log.server.ts';
import { splitLanguage } from '#shared/language-path.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { type RequestInfo, RequestInfoContext } from './shell/request-info.ts';
import { shellParts } from './shell/shell-html.server.tsx';

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

function factsOf(entry: EntryContext, context: RouterContextProvider, path: string): RequestInfo {
  const { nonce, requestId } = context.get(pageContext);
  const app = handlesOf(entry).some(({ handle }) => handle?.page === 'app');
  return {
    requestId,
    nonce: app ? nonce : undefined,
    shell: shellParts(path),
    enhanceUrl: withLocalizedPaths(enhanceUrl, locale()),
  };
}

/** Style sheets and fonts come before the scripts: the page is painted before it can be worked. */
function withPreloads(html: string, entry: EntryContext, nonce = ''): string {
  const modules = handlesOf(entry).flatMap(({ handle, data }) => handle?.preloads?.(data) ?? []);
  const paths = modules.flatMap((module) => localizedPathOf(module, locale()) ?? []);
  const links = paths.map((path) => `<link rel="modulepreload" href="${path}" nonce="${nonce}"/>`);
  return html
    .replace('<link rel="modulepreload"', (first) => links.join('') + first)
    .replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"');
}

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const facts = factsOf(entry, context, splitLanguage(new URL(request.url).pathname).path);
  return new Promise<Response>((resolve, reject) => {
    let finalStatus = status;
    const page = (
      <RequestInfoContext value={facts}>
        <ServerRouter context={entry} url={request.url} nonce={facts.nonce} />
      </RequestInfoContext>
    );
    const stream = renderToPipeableStream(page, {
      nonce: facts.nonce,
      // Large boundaries would be sent out of place, with a script that moves them: public pages have no such script.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady() {
        const body = new PassThrough();
        stream.pipe(body);
        headers.set('content-type', 'text/html; charset=utf-8');
        text(body).then((html) => {
          const whole = withPreloads(html, entry, facts.nonce);
          resolve(new Response(whole, { status: finalStatus, headers }));
        }, reject);
      },
      onShellError: reject,
      onError(error) {
        finalStatus = 500;
        log.error({ error, requestId: facts.requestId }, 'a page did not render');
      },
    });
  });
}
