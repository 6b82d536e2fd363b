import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { renderToPipeableStream } from 'react-dom/server';
import type { EntryContext, RouterContextProvider } from 'react-router';
import { ServerRouter } from 'react-router';

export const streamTimeout = 5_000;

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  _context: RouterContextProvider,
) {
  return new Promise<Response>((resolve, reject) => {
    const stream = renderToPipeableStream(<ServerRouter context={entry} url={request.url} />, {
      onAllReady() {
        const body = new PassThrough();
        stream.pipe(body);
        headers.set('content-type', 'text/html; charset=utf-8');
        text(body).then((html) => resolve(new Response(html, { status, headers })), reject);
      },
      onShellError: reject,
      onError() {
        status = 500;
      },
    });
  });
}
