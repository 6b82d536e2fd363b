import { eventually, type TestServer } from './server.ts';

/** Sets switches of the stand-ins, and returns their values. Throws for an unknown switch. */
export async function control(
  server: Pick<TestServer, 'standins'>,
  patch: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${server.standins}/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(patch),
  });
  if (!response.ok) throw new Error(`The stand-ins refused: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

/** Releases held calls whose message contains `text`; waits until `calls` of them have been released. */
export async function release(server: Pick<TestServer, 'standins'>, text: string, calls = 1): Promise<void> {
  let released = 0;
  await eventually(async () => {
    const { release: done } = await control(server, { release: text });
    released += (done as { released: number }).released;
    return released >= calls;
  });
}

/** Makes the stand-in reply with exactly this text. */
export const raw = (text: string) => `[[raw:${Buffer.from(text).toString('base64')}]]`;
