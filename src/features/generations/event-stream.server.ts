import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import { onSessionEnd } from '#features/accounts/service.server.ts';
import { config } from '#platform/config/config.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { type GenerationView, idempotencyHeader, type StartedRun, type ThinkingEvent } from './contract.ts';
import { type Listener, type LiveRun, liveRuns } from './live-runs.server.ts';
import { resumeSubscriber, type Subscriber, subscribe, unsubscribe } from './run-subscriptions.server.ts';
import type { Thinking } from './thinking-store.server.ts';

/** UTF-16 units; so small that a reader on a slow line receives whole events even if it is often disconnected. */
const MAX_EVENT_LENGTH = 8 * 1024;
/** A reader whose socket stays full for two of these intervals is disconnected. */
const KEEPALIVE_MS = 5_000;

/** Streams of one person in this process; the limit is higher only if the person may have more runs at once. */
const MAX_STREAMS = 10;

const openReaders = new Set<Reader>();
const readersByUser = new Map<string, Set<Reader>>();
let beating = false;

export const openStreams = (): number => openReaders.size;

const formatThinking = (data: ThinkingEvent) => `event: thinking\ndata: ${JSON.stringify(data)}\n\n`;

function formatEvent(event: 'delta' | 'reset', epoch: number, to: number, text: string): string {
  return `id: ${epoch}-${to}\nevent: ${event}\ndata: ${JSON.stringify({ text })}\n\n`;
}

/** Writes only while the socket accepts data (64 KiB, Node's high-water mark for sockets) and buffers no text. */
class Reader implements Listener, Subscriber {
  readonly generationId: string;
  readonly userId: string;
  readonly #response: ServerResponse;
  readonly #unwatch: () => void;
  #epoch: number;
  #at: number;
  #thoughtAt = 0;
  #thoughtMs = -1;
  #reset = false;
  #full = false;
  #stuck = false;

  constructor(
    response: ServerResponse,
    actor: UserActor,
    generationId: string,
    from: { epoch: number; length: number },
  ) {
    this.#response = response;
    this.userId = actor.userId;
    this.generationId = generationId;
    this.#epoch = from.epoch;
    this.#at = from.length;
    openReaders.add(this);
    const siblings = readersByUser.get(actor.userId) ?? new Set();
    readersByUser.set(actor.userId, siblings.add(this));
    this.#unwatch = onSessionEnd(actor.sessionId, () => this.#cut());
    response.on('close', () => this.leave());
    response.on('drain', () => this.#drained());
  }

  leave(): void {
    openReaders.delete(this);
    const siblings = readersByUser.get(this.userId);
    siblings?.delete(this);
    if (siblings?.size === 0) readersByUser.delete(this.userId);
    this.#unwatch();
    unsubscribe(this);
    liveRuns.get(this.generationId)?.listeners.delete(this);
  }

  join(run: LiveRun): void {
    if (this.#epoch !== run.epoch) this.#restart(run.epoch, 0);
    this.progress(run);
    run.listeners.add(this);
  }

  thinkingProgress({ thinking }: LiveRun): void {
    if (thinking.text !== '') this.deliverThinking(thinking);
  }

  thoughtMs(): number {
    return this.#thoughtMs;
  }

  /** A reader that has more thinking than exists starts over: the process died before it stored that thinking. */
  deliverThinking({ text, ms }: Thinking): boolean {
    if (this.#thoughtAt > text.length) this.#thoughtAt = 0;
    while (!this.#full && (this.#thoughtAt < text.length || this.#thoughtMs !== ms)) {
      const from = this.#thoughtAt;
      this.#thoughtAt = Math.min(text.length, from + MAX_EVENT_LENGTH);
      // The time counts as sent only with the last piece.
      if (this.#thoughtAt === text.length) this.#thoughtMs = ms;
      this.#write(formatThinking({ text: text.slice(from, this.#thoughtAt), from, ms }));
    }
    return this.#thoughtMs === ms;
  }

  progress(run: LiveRun): void {
    this.thinkingProgress(run);
    const to = run.shownLength;
    // Ahead of the text: an unknown position, or a run that another process has closed with less text.
    if (this.#at > to) this.#restart(run.epoch, 0);
    const isSingleDelta = !this.#full && !this.#reset && to > this.#at && to - this.#at <= MAX_EVENT_LENGTH;
    if (isSingleDelta) {
      if (run.frame?.from !== this.#at || run.frame.to !== to) {
        run.frame = {
          from: this.#at,
          to,
          bytes: formatEvent('delta', run.epoch, to, run.text.slice(this.#at, to)),
        };
      }
      this.#at = to;
      this.#write(run.frame.bytes);
    } else this.#send(run.shown, 0);
  }

  position() {
    return { epoch: this.#epoch, length: this.#at };
  }

  ready(): boolean {
    return !this.#full;
  }

  deliver(update: { epoch: number; from: number; text: string; reset: boolean }): boolean {
    if (update.reset) this.#restart(update.epoch, update.from);
    this.#epoch = update.epoch;
    return this.#send(update.text, update.from);
  }

  end(ended: LiveRun | Omit<GenerationView, 'text'>): void {
    // Disconnected while the last text was being looked up.
    if (this.#response.writableEnded) return;
    const live = 'listeners' in ended;
    if (live) this.progress(ended);
    const view = live ? ended.view : ended;
    const behind = live && (this.#at < ended.text.length || this.#thoughtMs < (ended.thoughtMs ?? -1));
    if (view && behind) {
      // The text that a slow reader still lacks is stored by now, so it reads the rest from the database.
      subscribe(this);
      return;
    }
    const credits = live ? ended.credits : null;
    this.#full = true;
    // Without a view the run's end is unknown here: the reader reconnects and asks again.
    this.#response.end(view ? `event: end\ndata: ${JSON.stringify({ ...view, credits })}\n\n` : '');
  }

  beat(): void {
    if (!this.#full) this.#write(': \n\n');
    else if (this.#stuck) this.#response.destroy();
    else this.#stuck = true;
  }

  evict(): void {
    this.#cut('event: evicted\ndata: {}\n\n');
  }

  /** Without `last`, the reader has lost its right to read; it reconnects and gets the refusal. */
  #cut(last = ''): void {
    this.leave();
    if (this.#full) this.#response.destroy();
    else this.#response.end(last);
    this.#full = true;
  }

  #restart(epoch: number, from: number): void {
    this.#epoch = epoch;
    this.#at = from;
    this.#reset = true;
  }

  #write(bytes: string): void {
    if (!this.#response.destroyed) this.#full = !this.#response.write(bytes);
  }

  #send(text: string, from: number): boolean {
    const to = from + text.length;
    while (!this.#full && (this.#reset || this.#at < to)) {
      const piece = text.slice(this.#at - from, this.#at - from + MAX_EVENT_LENGTH);
      const event = this.#reset ? 'reset' : 'delta';
      this.#reset = false;
      this.#at += piece.length;
      this.#write(formatEvent(event, this.#epoch, this.#at, piece));
    }
    return !this.#reset && this.#at >= to;
  }

  #drained(): void {
    if (this.#response.writableEnded) return;
    this.#full = this.#stuck = false;
    const run = liveRuns.get(this.generationId);
    if (run?.listeners.has(this)) this.progress(run);
    else resumeSubscriber(this);
  }
}

/** Returns null for an absent or unreadable id; the reader then gets all text as a reset. */
export function parseLastEventId(id: string | undefined): { epoch: number; length: number } | null {
  const match = /^(\d{1,9})-(\d{1,9})$/.exec(id ?? '');
  return match ? { epoch: Number(match[1]), length: Number(match[2]) } : null;
}

function evictOldest(userId: string): void {
  const limit = Math.max(MAX_STREAMS, config().RUNNING_AT_ONCE);
  const streams = readersByUser.get(userId) ?? new Set<Reader>();
  for (const oldest of streams) {
    if (streams.size < limit) return;
    oldest.evict();
  }
}

/**
 * Streams the events of a run that the caller has verified to be the actor's. @param from null sends all text as a
 * `reset`. @param first frames to send before any event of the run.
 */
export function streamTo(
  response: ServerResponse,
  actor: UserActor,
  generationId: string,
  from: { epoch: number; length: number } | null,
  first = '',
): void {
  // A pipelined response has no socket until the one before it is read, so events would only pile up. For a client that
  // has already left, `close` never fires, and its reader would stay forever.
  if (!response.socket || response.destroyed) return void response.destroy();
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'private, no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  if (response.req.method === 'HEAD') return void response.end();
  response.write(`retry: 1000\n\n${first}`);
  evictOldest(actor.userId);
  const reader = new Reader(response, actor, generationId, from ?? { epoch: 0, length: 0 });
  keepAlive();
  const run = liveRuns.get(generationId);
  if (run) reader.join(run);
  else subscribe(reader);
}

function keepAlive(): void {
  if (beating) return;
  beating = true;
  setInterval(() => {
    for (const each of openReaders) each.beat();
  }, KEEPALIVE_MS).unref();
}

export const idempotencyKeyOf = (c: Context<AppEnv>, fallback = ''): string =>
  c.req.header(idempotencyHeader) ?? fallback;

export function startedResponse(c: Context<AppEnv>, actor: UserActor, started: StartedRun): Response {
  if (!c.req.header('accept')?.includes('text/event-stream')) return c.json(started, 202);
  const first = `event: started\ndata: ${JSON.stringify(started)}\n\n`;
  streamTo(c.env.outgoing, actor, started.generation.id, { epoch: 1, length: 0 }, first);
  return RESPONSE_ALREADY_SENT;
}
