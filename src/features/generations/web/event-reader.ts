import { createParser } from 'eventsource-parser';
import type { StreamEvent } from '../contract.ts';

interface RawEvent {
  event?: string | undefined;
  id?: string | undefined;
  data: string;
}

const knownEvents = ['started', 'thinking', 'delta', 'reset', 'end', 'evicted'];

function toEvent(raw: RawEvent): StreamEvent | null {
  const name = raw.event ?? '';
  if (!knownEvents.includes(name)) return null;
  const data: unknown = JSON.parse(raw.data);
  if (typeof data !== 'object' || data === null) return null;
  return { event: name, id: raw.id, data } as StreamEvent;
}

/**
 * Skips events of unknown names. Throws what the body throws, SyntaxError for data that is not JSON, and TimeoutError
 * after `silence` ms without a byte (the server sends a comment every 5 s).
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  silence: number,
): AsyncGenerator<StreamEvent> {
  const ready: StreamEvent[] = [];
  const parser = createParser({
    maxBufferSize: 4 * 1024 * 1024,
    onEvent(raw) {
      const event = toEvent(raw);
      if (event) ready.push(event);
    },
  });
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await withDeadline(reader.read(), silence);
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* ready.splice(0);
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DOMException('The stream went silent.', 'TimeoutError')), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

export interface Position {
  epoch: string;
  length: number;
}

export function parsePosition(id: string | undefined): Position | null {
  const match = /^(.+)-(\d+)$/.exec(id ?? '');
  return match ? { epoch: match[1]!, length: Number(match[2]) } : null;
}

/**
 * `lost`: something between is missing, so the reader connects without an id and gets all text. A first delta that
 * holds the whole text so far is applied like a reset.
 */
export function classifyDelta(event: StreamEvent, at: Position | null): 'apply' | 'skip' | 'lost' {
  if (event.event !== 'delta') return 'apply';
  const to = parsePosition(event.id);
  if (!to) return 'lost';
  const from = to.length - event.data.text.length;
  if (!at) return from === 0 ? 'apply' : 'lost';
  if (to.epoch !== at.epoch) return 'lost';
  if (to.length <= at.length) return 'skip';
  return from === at.length ? 'apply' : 'lost';
}
