/** One streamed answer on the wire: chunks as OpenRouter sends them (protocols.md 2.2), paced by the ticker. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogEntry } from '../log.ts';
import type { Ticker } from './ticker.ts';

/** Above this many unsent bytes the stand-in waits for its reader. */
const MAX_UNSENT = 256 * 1024;
/** Tokens a wake-up when no speed is set. */
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

interface Wire {
  /** What stands between "data:" and the JSON. */
  space: '' | ' ';
  eol: '\n' | '\r\n';
}

export class ChatStream {
  readonly res: ServerResponse;
  readonly entry: LogEntry;
  readonly #ticker: Ticker;
  readonly #head: Record<string, unknown>;
  readonly #before: string;
  readonly #after: string;
  readonly #wire: Wire;
  #started = false;

  constructor(
    res: ServerResponse,
    entry: LogEntry,
    ticker: Ticker,
    about: { id: string; model: string },
    wire: Wire = { space: ' ', eol: '\n' },
  ) {
    this.res = res;
    this.entry = entry;
    this.#ticker = ticker;
    this.#wire = wire;
    const created = Math.floor(Date.now() / 1000);
    const { id, model } = about;
    this.#head = { id, object: 'chat.completion.chunk', created, model, provider: 'Stand-in' };
    const chunk = this.frame(this.#chunk({ role: 'assistant', content: '\u0001' }, null));
    const [before, after] = chunk.split(JSON.stringify('\u0001'));
    this.#before = before!;
    this.#after = after!;
  }

  /** True once the other side is gone. */
  get closed(): boolean {
    return this.res.destroyed;
  }

  #chunk(delta: Record<string, unknown>, finish: string | null): Record<string, unknown> {
    return {
      ...this.#head,
      choices: [{ index: 0, delta, finish_reason: finish, native_finish_reason: finish }],
    };
  }

  /** The fields that every chunk has. */
  get head(): Record<string, unknown> {
    return this.#head;
  }

  /** One event. */
  frame(value: unknown): string {
    const { space, eol } = this.#wire;
    return `data:${space}${JSON.stringify(value)}${eol}${eol}`;
  }

  /** One content chunk as it goes over the wire. */
  tokenFrame(token: string): string {
    return this.#before + JSON.stringify(token) + this.#after;
  }

  /** Sends status and headers. */
  open(type = 'text/event-stream'): void {
    this.res.writeHead(200, {
      'content-type': type,
      'cache-control': 'no-cache',
      'x-generation-id': String(this.#head.id),
    });
    this.res.flushHeaders();
  }

  /** Sends anything. */
  send(raw: string): void {
    if (!this.closed) this.res.write(raw);
  }

  /** Sends any value as one event. */
  event(value: unknown): void {
    this.send(this.frame(value));
  }

  /** Sends a chunk with this delta. */
  delta(delta: Record<string, unknown>, finish: string | null = null): void {
    this.event(this.#chunk(delta, finish));
  }

  /** Sends one content token at once and logs it. */
  token(text: string): void {
    if (this.closed) return;
    this.send(this.tokenFrame(text));
    this.entry.sent(text);
  }

  /**
   * Sends tokens at a speed; the first one after firstTokenMs if nothing was sent yet. Resolves true when all are
   * out, false when the reader is gone.
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
      const begin = performance.now() + first;
      const gap = speed.tokensPerSecond > 0 ? 1000 / speed.tokensPerSecond : 0;
      const item = {
        dueAt: begin,
        advance: (now: number): boolean => {
          if (this.closed) return end(false);
          if (this.res.writableLength > MAX_UNSENT) {
            item.dueAt = now + 20;
            return true;
          }
          const due = gap === 0 ? sent + BATCH : Math.floor((now - begin) / gap) + 1;
          sendUpTo(Math.min(tokens.length, Math.max(due, sent)));
          if (sent >= tokens.length) return end(true);
          item.dueAt = begin + sent * gap;
          return true;
        },
      };
      const onClose = () => end(false);
      const end = (whole: boolean): false => {
        this.#ticker.delete(item);
        this.res.off('close', onClose);
        resolve(whole);
        return false;
      };
      this.res.once('close', onClose);
      if (this.closed) end(false);
      else if (first === 0 && !item.advance(begin)) return;
      else this.#ticker.add(item);
    });
  }

  /** Resolves when the reader has taken what was written, or is gone. */
  async drained(): Promise<void> {
    if (!this.closed && this.res.writableNeedDrain)
      await Promise.race([once(this.res, 'drain'), once(this.res, 'close')]);
  }

  /** Sends the chunk with the finish reason. */
  finish(reason: string): void {
    this.entry.view.detail.finishReason = reason;
    this.delta({ content: '' }, reason);
  }

  /** Sends usage as OpenRouter does: in a chunk of its own without choices. */
  usage(usage: Record<keyof Usage, unknown>): void {
    this.event({ ...this.#head, choices: [], usage });
  }

  /** Sends [DONE]. */
  done(): void {
    const { space, eol } = this.#wire;
    this.send(`data:${space}[DONE]${eol}${eol}`);
  }

  /** Ends the response as meant. */
  end(): void {
    if (!this.closed) this.res.end();
  }

  /** Breaks the connection from this side. */
  reset(): Promise<void> {
    return breakOff(this.res, this.entry);
  }
}

/** Resets a connection, a moment later: at once it would throw away what the log says was sent. */
export async function breakOff(res: ServerResponse, entry: LogEntry): Promise<void> {
  entry.view.closedBy = 'server';
  await sleep(RESET_AFTER_MS);
  res.socket?.resetAndDestroy();
}
