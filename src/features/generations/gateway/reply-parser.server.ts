import { Buffer } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';
import { startWithin } from '#platform/cut-utf8.server.ts';
import { eventError, GatewayError } from './gateway-error.ts';
import type { Citation, GatewayBounds, GatewayFinish, GatewayUsage } from './gateway-types.ts';
import { type Chunk, readChunk } from './stream-chunk.ts';
import { TextCleaner } from './text-cleaner.ts';
import { type SplitReply, ThinkTagParser } from './think-tags.ts';
import { mergeUsage, NO_USAGE } from './token-usage.ts';

const LF = 10;
const CR = 13;

const MAX_LOST_EVENTS = 8;
/** UTF-8; thinking beyond it is dropped and only counts as a sign of life. */
const MAX_THINKING_BYTES = 128 * 1024;
const MAX_CITATIONS = 100;

export function finishOf(reason: string): GatewayFinish {
  return reason === 'length' || reason === 'content_filter' ? reason : 'stop';
}

function jsonOr(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return text;
  }
}

/**
 * Lenient about format (protocols.md 2.6), strict about the end: only a finish reason makes a reply whole, and text
 * after it is ignored.
 */
export class ReplyParser {
  finish: GatewayFinish | null = null;
  complete = false;
  failure: GatewayError | null = null;
  lost = 0;
  usage: GatewayUsage = NO_USAGE;
  upstreamId = '';
  model = '';
  started = false;
  /** Beats are chunks that show the model at work; comments are another sign of life. */
  beats = 0;
  comments = 0;

  readonly #bounds: Pick<GatewayBounds, 'eventBytes' | 'textBytes'>;
  readonly #apiKey: string;
  readonly #decoder = new StringDecoder('utf8');
  readonly #cleaner = new TextCleaner();
  readonly #thinkingCleaner = new TextCleaner();
  readonly #tags = new ThinkTagParser();
  readonly #parser: EventSourceParser;
  #lineBytes = 0;
  #textBytes = 0;
  #thinkingBytes = 0;
  readonly #citations: Citation[] = [];
  #fresh = '';
  #freshThinking = '';

  constructor(bounds: Pick<GatewayBounds, 'eventBytes' | 'textBytes'>, apiKey: string) {
    this.#bounds = bounds;
    this.#apiKey = apiKey;
    this.#parser = this.#createParser();
  }

  feed(bytes: Buffer): string {
    if (this.#overLine(bytes)) this.#fail(this.#tooLarge());
    else this.#parser.feed(this.#decoder.write(bytes));
    return this.#takeText();
  }

  end(): string {
    if (this.finish !== 'bound') {
      this.#split(this.#tags.push(this.#cleaner.end()));
      this.#split(this.#tags.end());
    }
    return this.#takeText();
  }

  takeThinking(): string {
    const thinking = this.#freshThinking;
    this.#freshThinking = '';
    return thinking;
  }

  /** Returns the citations received since the last call. */
  takeCitations(): Citation[] {
    return this.#citations.splice(0);
  }

  #createParser(): EventSourceParser {
    return createParser({
      onEvent: (event) => this.#onEvent(event),
      onComment: () => {
        this.comments += 1;
      },
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') this.#fail(this.#tooLarge());
        // llama.cpp up to 2025 sends an error as a separate field instead of an event.
        else if (error.type === 'unknown-field' && error.field === 'error')
          this.#fail(eventError(jsonOr(error.value), this.#apiKey));
      },
      maxBufferSize: this.#bounds.eventBytes,
    });
  }

  /** Limits a line that spans many reads before the parser buffers more of it. */
  #overLine(bytes: Buffer): boolean {
    const end = Math.max(bytes.lastIndexOf(LF), bytes.lastIndexOf(CR));
    this.#lineBytes = end === -1 ? this.#lineBytes + bytes.length : bytes.length - 1 - end;
    return end === -1 && this.#lineBytes > this.#bounds.eventBytes;
  }

  #onEvent({ data, event }: EventSourceMessage): void {
    if (this.complete || data === '') return;
    if (data.length > this.#bounds.eventBytes) {
      this.#fail(this.#tooLarge());
      return;
    }
    if (data.startsWith('[DONE]')) {
      this.complete = true;
      return;
    }
    const chunk = readChunk(data, event);
    if (chunk?.usage) this.usage = mergeUsage(this.usage, chunk.usage);
    if (chunk !== null && this.#citations.length < MAX_CITATIONS) this.#citations.push(...chunk.citations);
    if (this.finish !== null) {
      // The reply is over; only its usage is still missing.
      this.complete = Boolean(chunk?.usage);
    } else if (chunk !== null) {
      this.#accept(chunk);
    } else if (event === 'error') {
      this.#fail(eventError(data, this.#apiKey));
    } else {
      this.lost += 1;
      if (this.lost > MAX_LOST_EVENTS)
        this.#fail(new GatewayError('malformed', 'The gateway sent events that cannot be read'));
    }
  }

  #accept(chunk: Chunk): void {
    if (this.upstreamId === '') this.upstreamId = chunk.id;
    if (chunk.model !== '') this.model = chunk.model;
    if (chunk.alive) this.beats += 1;
    if (chunk.token) this.started = true;
    if (chunk.thinking !== '') this.#think(this.#thinkingCleaner.push(chunk.thinking));
    if (chunk.text !== '') this.#split(this.#tags.push(this.#cleaner.push(chunk.text)));
    if (chunk.error !== null || chunk.finish === 'error') {
      this.#fail(eventError(chunk.error, this.#apiKey));
    } else if (chunk.finish !== null && this.finish === null) {
      this.finish = finishOf(chunk.finish);
      this.complete = Boolean(chunk.usage);
    }
  }

  #split({ thinking, text }: SplitReply): void {
    this.#think(thinking);
    this.#append(text);
  }

  #think(text: string): void {
    if (text === '') return;
    const piece = startWithin(text, MAX_THINKING_BYTES - this.#thinkingBytes);
    this.#thinkingBytes += Buffer.byteLength(piece);
    this.#freshThinking += piece;
  }

  #append(text: string): void {
    if (text === '') return;
    const size = Buffer.byteLength(text);
    if (this.#textBytes + size <= this.#bounds.textBytes) {
      this.#textBytes += size;
      this.#fresh += text;
      return;
    }
    this.#fresh += startWithin(text, this.#bounds.textBytes - this.#textBytes);
    this.#textBytes = this.#bounds.textBytes;
    this.finish = 'bound';
    this.complete = true;
  }

  #takeText(): string {
    const text = this.#fresh;
    this.#fresh = '';
    return text;
  }

  #tooLarge(): GatewayError {
    return new GatewayError(
      'event_too_large',
      `The gateway sent an event over ${this.#bounds.eventBytes} bytes`,
    );
  }

  #fail(error: GatewayError): void {
    if (this.finish === null) this.failure ??= error;
    this.complete = true;
  }
}
