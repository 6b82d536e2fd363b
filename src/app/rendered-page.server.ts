/** What React Router rendered: a page, the data of one, or a redirect without bytes. */
export interface RenderedPage {
  status: number;
  headers: Headers;
  bytes: Buffer<ArrayBuffer>;
}

/** Bodies of pages on their way through React Router. In the `Response`, they would be copied through two streams. */
const bodies = new WeakMap<Response, Buffer<ArrayBuffer>>();

/** Returns a response for React Router to pass on. Its body is only in `bytesOf`. */
export function responseWithoutBody(
  bytes: Buffer<ArrayBuffer>,
  init: { status: number; headers: Headers },
): Response {
  const response = new Response(null, init);
  bodies.set(response, bytes);
  return response;
}

export const bytesOf = async (response: Response): Promise<Buffer<ArrayBuffer>> =>
  bodies.get(response) ?? Buffer.from(await response.arrayBuffer());

/** Returns the response to send, with its body. */
export const toResponse = ({ bytes, status, headers }: RenderedPage): Response =>
  new Response(bytes.length > 0 ? bytes : null, { status, headers });
