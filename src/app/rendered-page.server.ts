/** Bodies of rendered pages. In the `Response`, they would be copied through two streams. */
const bodies = new WeakMap<Response, Buffer<ArrayBuffer>>();

/** Returns a response without a body, whose body `bytesOf` returns. */
export function responseOf(bytes: Buffer<ArrayBuffer>, init: { status: number; headers: Headers }): Response {
  const response = new Response(null, init);
  bodies.set(response, bytes);
  return response;
}

export const bytesOf = async (response: Response): Promise<Buffer<ArrayBuffer>> =>
  bodies.get(response) ?? Buffer.from(await response.arrayBuffer());

export interface Rendered {
  status: number;
  headers: Headers;
  bytes: Buffer<ArrayBuffer>;
}

export const responseWith = ({ bytes, status, headers }: Rendered): Response =>
  new Response(bytes.length > 0 ? bytes : null, { status, headers });
