import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { readStream, type StreamResult } from '../load/stream-client.ts';
import type { Person } from '../support/people.ts';

/** Same as `retry` in the event stream. */
const RETRY_MS = 1_000;
/** No successful response for this long is a fault. */
const PATIENCE_MS = 60_000;

export interface Reply extends StreamResult {
  /** How often its stream broke. */
  breaks: number;
}

export interface Audience {
  replies: Reply[];
  /** Unexpected responses: neither a stream nor a status that allows a retry. */
  refused: string[];
}

const isRetryable = (status: number) => status === 0 || [502, 503, 504].includes(status);

/** Sends one message and reads its stream to the end, resuming after each break. */
async function readToEnd(
  audience: Audience,
  url: string,
  person: Person,
  chat: string,
  text: string,
): Promise<void> {
  const headers = { cookie: person.cookie, origin: url };
  const key = randomUUID();
  const body = JSON.stringify({ text, create: true });
  let reply: Reply | undefined;
  let lastResponseAt = performance.now();
  while (!reply?.end) {
    const result = reply?.run
      ? await readStream({ url: `${url}/api/generations/${reply.run}/events`, headers, before: reply })
      : await readStream({
          url: `${url}/api/chats/${chat}/messages`,
          headers: { ...headers, 'idempotency-key': key },
          body,
        });
    if (result.status === 200) lastResponseAt = performance.now();
    else if (!isRetryable(result.status)) audience.refused.push(`${result.status} for ${chat}`);
    if (performance.now() - lastResponseAt > PATIENCE_MS) audience.refused.push(`no response for ${chat}`);
    if (audience.refused.length > 0) return;
    reply = { ...result, breaks: (reply?.breaks ?? -1) + 1 };
    if (!reply.end) await pause(RETRY_MS);
  }
  audience.replies.push(reply);
}

/** Each person reads one reply after another in a separate chat, until `end` is called. */
export function startReading(
  url: string,
  people: Person[],
  { text, rampMs }: { text: string; rampMs: number },
): { end(): Promise<Audience> } {
  const audience: Audience = { replies: [], refused: [] };
  let stopped = false;
  const loops = people.map(async (person, at) => {
    await pause((at * rampMs) / people.length);
    const chat = randomUUID();
    while (!stopped && audience.refused.length === 0) await readToEnd(audience, url, person, chat, text);
  });
  return {
    async end() {
      stopped = true;
      await Promise.all(loops);
      return audience;
    },
  };
}
