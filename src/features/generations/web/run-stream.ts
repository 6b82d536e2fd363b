import { createParser } from 'eventsource-parser';
import { ConnectionError, ProblemError, readProblem } from '#client/problem-error.ts';
import { priceHeader, pricesVersion } from '#features/credits/contract.ts';
import {
  type GenerationEvent,
  idempotencyHeader,
  type StartedRun,
  type StreamEvent,
  type ThinkingView,
} from '../contract.ts';
import { releaseKey, releaseReusedKey, requestKey } from './idempotency-keys.ts';
import { type Connection, pageConnection } from './stream-connection.ts';

export interface RunRequest {
  path: string;
  body: unknown;
  key?: string;
}

export interface RunOptions {
  onEvent(event: GenerationEvent): void;
  signal: AbortSignal;
  /** Called with all thinking so far. */
  onThinking?(thinking: ThinkingView): void;
  /** False while the client waits to reconnect. */
  onLink?(live: boolean): void;
  connection?: Connection;
}

/** For a starting request whose answer was lost, or whose server was unavailable. */
const startAttempts = 6;

interface Position {
  epoch: string;
  length: number;
}

interface Reading {
  generationId: string | null;
  at: Position | null;
  thinking: string;
  ended: boolean;
  attempt: number;
  /** How often the server evicted the stream, and whether it did so last. */
  evictions: number;
  evicted: boolean;
  options: RunOptions;
  connection: Connection;
}

const startReading = (generationId: string | null, options: RunOptions): Reading => ({
  generationId,
  at: null,
  thinking: '',
  ended: false,
  attempt: 0,
  evictions: 0,
  evicted: false,
  options,
  connection: options.connection ?? pageConnection(),
});

/**
 * Resolves after the `end` event. Repeats a starting request whose answer was lost, with the same key. @throws
 * ProblemError when refused, ConnectionError when the server cannot be reached at the start, AbortError when aborted
 * (the run goes on).
 */
export async function openRun(request: RunRequest, options: RunOptions): Promise<void> {
  const key = requestKey(request.path, request.body, request.key);
  const reading = startReading(null, {
    ...options,
    onEvent(event) {
      if (event.event === 'started') releaseKey(key);
      options.onEvent(event);
    },
  });
  while (reading.generationId === null) {
    await start({ ...request, key }, reading);
  }
  await resume(reading);
}

/** @throws as `openRun`. */
export async function subscribeToRun(generationId: string, options: RunOptions): Promise<void> {
  await resume(startReading(generationId, options));
}

const isEventStream = (response: Response) =>
  response.headers.get('content-type')?.startsWith('text/event-stream') === true;

async function start(request: Required<RunRequest>, reading: Reading): Promise<void> {
  const { options, connection } = reading;
  let cause: unknown;
  try {
    const response = await connection.fetch(connection.base + request.path, {
      method: 'POST',
      headers: {
        accept: 'text/event-stream',
        'content-type': 'application/json',
        [idempotencyHeader]: request.key,
        [priceHeader]: pricesVersion(),
      },
      body: JSON.stringify(request.body),
      signal: options.signal,
    });
    if (!response.ok) throw await readProblem(response);
    if (isEventStream(response)) {
      await consume(response, reading);
    } else {
      const started = (await response.json()) as StartedRun & Record<string, unknown>;
      deliver({ event: 'started', data: started }, reading);
    }
    if (reading.generationId !== null) return;
    cause = new Error('The answer ended before the run was named.');
  } catch (error) {
    options.signal.throwIfAborted();
    releaseReusedKey(request.key, error);
    if (error instanceof ProblemError && !isTransient(error)) throw error;
    if (reading.generationId !== null) return;
    cause = error;
  }
  if (reading.attempt + 1 >= startAttempts) {
    throw cause instanceof ProblemError ? cause : new ConnectionError(cause);
  }
  await connection.pause(reading.attempt++, options.signal);
}

const isTransient = (problem: ProblemError) =>
  problem.body.code === 'unavailable' || problem.status === 502 || problem.status === 504;

async function resume(reading: Reading): Promise<void> {
  const { options, connection } = reading;
  const path = `/api/generations/${reading.generationId}/events`;
  while (!reading.ended) {
    await reconnectAfterEviction(reading);
    try {
      const headers = new Headers({ accept: 'text/event-stream' });
      if (reading.at) headers.set('last-event-id', `${reading.at.epoch}-${reading.at.length}`);
      const response = await connection.fetch(connection.base + path, { headers, signal: options.signal });
      if (!response.ok) throw await readProblem(response);
      if (!isEventStream(response)) throw new Error('Not an event stream.');
      await consume(response, reading);
    } catch (error) {
      options.signal.throwIfAborted();
      if (error instanceof ProblemError && error.status < 500 && error.status !== 429) throw error;
    }
    if (reading.ended) return;
    options.onLink?.(false);
    if (reading.evicted) continue;
    await connection.pause(reading.attempt++, options.signal);
  }
}

/** Waits until the page is visible, so that tabs do not evict each other. */
async function reconnectAfterEviction(reading: Reading): Promise<void> {
  if (!reading.evicted) return;
  reading.evicted = false;
  await reading.connection.afterEviction(reading.evictions++, reading.options.signal);
}

/** Returns when the connection is cut. A gap clears the position, so that the server sends all text. */
async function consume(response: Response, reading: Reading): Promise<void> {
  reading.options.onLink?.(true);
  try {
    for await (const event of readEvents(response.body!, reading.connection.silence)) {
      reading.options.signal.throwIfAborted();
      if (event.event === 'evicted') {
        reading.evicted = true;
        return;
      }
      if (event.event === 'thinking') {
        const { text, from, ms } = event.data;
        reading.attempt = 0;
        reading.thinking = reading.thinking.slice(0, from) + text;
        reading.options.onThinking?.({ text: reading.thinking, ms });
        continue;
      }
      const action = classifyDelta(event, reading.at);
      if (action === 'skip') continue;
      if (action === 'lost') {
        reading.at = null;
        return;
      }
      // The first delta holds all text so far: it replaces the text that came with the chat.
      const isFullText = event.event === 'delta' && !reading.at;
      deliver(isFullText ? { ...event, event: 'reset' } : event, reading);
      if (reading.ended) return;
    }
  } catch {
    // A cut, a silence or a broken event: the caller reconnects from the last good position.
    reading.options.signal.throwIfAborted();
  }
}

function deliver(event: GenerationEvent, reading: Reading) {
  if (event.event === 'started') {
    if (typeof event.data.generation?.id !== 'string') return;
    if (reading.generationId !== null) return;
    reading.generationId = event.data.generation.id;
  }
  if (event.event === 'delta' || event.event === 'reset') reading.at = parsePosition(event.id);
  if (event.event === 'end') {
    reading.ended = true;
    // Covers a run that an earlier request of this page started.
    releaseKey(event.data.requestKey);
  }
  reading.attempt = 0;
  reading.options.onEvent(event);
}

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
async function* readEvents(body: ReadableStream<Uint8Array>, silence: number): AsyncGenerator<StreamEvent> {
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

function parsePosition(id: string | undefined): Position | null {
  const match = /^(.+)-(\d+)$/.exec(id ?? '');
  return match ? { epoch: match[1]!, length: Number(match[2]) } : null;
}

/**
 * `lost`: text is missing in between, so the reader connects without an id and gets all text. A first delta that holds
 * the whole text so far is applied like a reset.
 */
function classifyDelta(event: StreamEvent, at: Position | null): 'apply' | 'skip' | 'lost' {
  if (event.event !== 'delta') return 'apply';
  const to = parsePosition(event.id);
  if (!to) return 'lost';
  const from = to.length - event.data.text.length;
  if (!at) return from === 0 ? 'apply' : 'lost';
  if (to.epoch !== at.epoch) return 'lost';
  if (to.length <= at.length) return 'skip';
  return from === at.length ? 'apply' : 'lost';
}
