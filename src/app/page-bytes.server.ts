/** Bodies of rendered pages. To read one from its `Response` would copy it through two streams. */
const bodies = new WeakMap<Response, Buffer<ArrayBuffer>>();

/** Returns a response whose body `bytesOf` returns without reading it. */
export function responseOf(bytes: Buffer<ArrayBuffer>, init: { status: number; headers: Headers }): Response {
  const response = new Response(bytes, { status: init.status, headers: init.headers });
  bodies.set(response, bytes);
  return response;
}

export const bytesOf = async (response: Response): Promise<Buffer<ArrayBuffer>> =>
  bodies.get(response) ?? Buffer.from(await response.arrayBuffer());
