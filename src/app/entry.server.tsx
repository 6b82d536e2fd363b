import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { renderToPipeableStream } from 'react-dom/server';
import {
  type EntryContext,
  type HandleErrorFunction,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router';
import { pageContext } from '../platform/http/page-context.server.ts';
import { log } from '../platform/log/log.server.ts';
import type { PageHandle } from '../shared/page-handle.ts';
import { shellParts } from './shell/parts.server.tsx';
import { type RequestFacts, RequestFactsContext } from './shell/request-facts.ts';

export const streamTimeout = 5_000;

/** Errors of loaders, actions and components, with the id that the visitor sees on the error page. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted) return;
  const { requestId } = (context as RouterContextProvider).get(pageContext);
  log.error({ error, requestId, path: new URL(request.url).pathname }, 'a page failed');
};

function factsOf(entry: EntryContext, context: RouterContextProvider, path: string): RequestFacts {
  const { nonce, requestId } = context.get(pageContext);
  const app = entry.staticHandlerContext.matches.some(
    ({ route }) => (entry.routeModules[route.id]?.handle as PageHandle | undefined)?.page === 'app',
  );
  return { requestId, nonce: app ? nonce : undefined, shell: shellParts(path) };
}

/** Renders a page to its whole HTML; it is sent, hashed and compressed by page.server.ts. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const facts = factsOf(entry, context, new URL(request.url).pathname);
  return new Promise<Response>((resolve, reject) => {
    let finalStatus = status;
    const page = (
      <RequestFactsContext value={facts}>
        <ServerRouter context={entry} url={request.url} nonce={facts.nonce} />
      </RequestFactsContext>
    );
    const stream = renderToPipeableStream(page, {
      nonce: facts.nonce,
      // Large boundaries would be sent out of place, with a script that moves them: public pages have no such script.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady() {
        const body = new PassThrough();
        stream.pipe(body);
        headers.set('content-type', 'text/html; charset=utf-8');
        text(body).then((html) => resolve(new Response(html, { status: finalStatus, headers })), reject);
      },
      onShellError: reject,
      onError(error) {
        finalStatus = 500;
        log.error({ error, requestId: facts.requestId }, 'a page did not render');
      },
    });
  });
}
