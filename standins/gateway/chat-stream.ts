/** Streamed answers: protocols.md 2.2. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogEntry } from '../request-log.ts';
import type { ChatCall } from './chat.ts';

/** With more unsent bytes than this, the stand-in waits for its reader. */
const MAX_UNSENT = 256 * 1024;
/** Tokens per wake-up when no speed is set. */
const BATCH = 256;
const RESET_AFTER_MS = 50;

export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  cost: number;
}

interface Speed {
  tokensPerSecond: number;
  firstTokenMs: number;
}

interface Paced {
  /** When the next step is due, in milliseconds of performance.now(). */
  dueAt: number;
  advance(now: number): boolean;
}

/** With many streams, waking every millisecond would do little each time; nobody notices 4 ms. */
const MANY = 50;
const COARSE_MS = 4;

/** Shares one timer among streams: at 1,000 streams, a timer each would cost more than the tokens. */
export class Ticker {
  readonly #paced = new Set<Paced>();
  #timer: NodeJS.Timeout | null = null;
  #wakeAt = Number.POSITIVE_INFINITY;

  add(item: Paced): void {
    this.#paced.add(item);
    if (item.dueAt < this.#wakeAt) this.#schedule(item.dueAt);
  }

  delete(item: Paced): void {
    this.#paced.delete(item);
  }

  #schedule(at: number): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#wakeAt = at;
    const min = this.#paced.size > MANY ? COARSE_MS : 0;
    this.#timer = setTimeout(() => this.#wake(), Math.max(min, at - performance.now()));
  }

  #wake(): void {
    this.#timer = null;
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    for (const item of this.#paced) {
      if (item.dueAt <= now && !item.advance(now)) this.#paced.delete(item);
      else if (item.dueAt < next) next = item.dueAt;
    }
    this.#wakeAt = Number.POSITIVE_INFINITY;
    if (this.#paced.size > 0) this.#schedule(next);
  }
}

export class ChatStream {
  readonly res: ServerResponse;
  readonly entry: LogEntry;
  readonly head: Record<string, unknown>;
  readonly #ticker: Ticker;
  /** Text between "data:" and the JSON. */
  readonly #space: string;
  readonly #eol: string;
  readonly #before: string;
  readonly #after: string;
  #started = false;

  constructor({ res, entry, id, model, plan }: ChatCall, ticker: Ticker) {
    this.res = res;
    this.entry = entry;
    this.#ticker = ticker;
    this.#space = plan.mode === 'nospace' ? '' : ' ';
    this.#eol = plan.mode === 'crlf' ? '\r\n' : '\n';
    const created = Math.floor(Date.now() / 1000);
    this.head = { id, object: 'chat.completion.chunk', created, model, provider: 'Stand-in' };
    const chunk = this.#frame(this.#chunk({ role: 'assistant', content: '\u0001' }, null));
    const [before, after] = chunk.split(JSON.stringify('\u0001'));
    this.#before = before!;
    this.#after = after!;
  }

  get closed(): boolean {
    return this.res.destroyed;
  }

  #chunk(delta: Record<string, unknown>, finish: string | null): Record<string, unknown> {
    const choice = { index: 0, delta, finish_reason: finish, native_finish_reason: finish };
    return { ...this.head, choices: [choice] };
  }

  #frame(value: unknown): string {
    return `data:${this.#space}${JSON.stringify(value)}${this.#eol}${this.#eol}`;
  }

  tokenFrame(token: string): string {
    return this.#before + JSON.stringify(token) + this.#after;
  }

  open(): void {
    this.res.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-generation-id': String(this.head.id),
    });
    this.res.flushHeaders();
  }

  send(raw: string): void {
    if (!this.closed) this.res.write(raw);
  }

  event(value: unknown): void {
    this.send(this.#frame(value));
  }

  delta(delta: Record<string, unknown>, finish: string | null = null): void {
    this.event(this.#chunk(delta, finish));
  }

  token(text: string): void {
    if (this.closed) return;
    this.send(this.tokenFrame(text));
    this.entry.sent(text);
  }

  /**
   * Sends tokens at a speed; the first token of a stream waits firstTokenMs. Resolves false when the reader is gone.
   */
  pace(tokens: string[], speed: Speed, text = tokens.join('')): Promise<boolean> {
    const first = this.#started ? 0 : speed.firstTokenMs;
    this.#started = true;
    if (tokens.length === 0) return Promise.resolve(!this.closed);
    const piece = this.entry.piece(text);
    let sent = 0;
    const sendUpTo = (end: number): void => {
      let batch = '';
      const from = sent;
      for (; sent < end; sent++) {
        const token = tokens[sent]!;
        batch += this.tokenFrame(token);
        piece.chars += token.length;
      }
      this.entry.tokens(end - from);
      this.res.write(batch);
    };
    return new Promise((resolve) => {
      const startTime = performance.now() + first;
      const interval = speed.tokensPerSecond > 0 ? 1000 / speed.tokensPerSecond : 0;
      const item = {
        dueAt: startTime,
        advance: (now: number): boolean => {
          if (this.closed) return end(false);
          if (this.res.writableLength > MAX_UNSENT) {
            item.dueAt = now + 20;
            return true;
          }
          const due = interval === 0 ? sent + BATCH : Math.floor((now - startTime) / interval) + 1;
          sendUpTo(Math.min(tokens.length, Math.max(due, sent)));
          if (sent >= tokens.length) return end(true);
          item.dueAt = startTime + sent * interval;
          return true;
        },
      };
      const onClose = () => end(false);
      const end = (completed: boolean): false => {
        this.#ticker.delete(item);
        this.res.off('close', onClose);
        resolve(completed);
        return false;
      };
      this.res.once('close', onClose);
      if (this.closed) end(false);
      else if (first === 0 && !item.advance(startTime)) return;
      else this.#ticker.add(item);
    });
  }

  finish(reason: string): void {
    this.entry.view.detail.finishReason = reason;
    this.delta({ content: '' }, reason);
  }

  /** Sends usage in a separate chunk without choices, as OpenRouter does. */
  usage(usage: Record<keyof Usage, unknown>): void {
    this.event({ ...this.head, choices: [], usage });
  }

  done(): void {
    this.send(`data:${this.#space}[DONE]${this.#eol}${this.#eol}`);
  }

  end(): void {
    if (!this.closed) this.res.end();
  }
}

/** Resets the connection after a short wait: an immediate reset would discard bytes that the log records as sent. */
export async function resetConnection(res: ServerResponse, entry: LogEntry): Promise<void> {
  entry.view.closedBy = 'server';
  await sleep(RESET_AFTER_MS);
  res.socket?.resetAndDestroy();
}

export async function drained(res: ServerResponse): Promise<void> {
  if (res.destroyed || !res.writableNeedDrain) return;
  const settled = new AbortController();
  await Promise.race([once(res, 'drain', settled), once(res, 'close', settled)]);
  settled.abort();
}
