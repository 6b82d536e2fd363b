import type { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { OutboundFailed } from './outbound-errors.ts';

/** Bytes held for a slow reader before the socket is paused. */
const HIGH_WATER = 64 * 1024;

/** Bytes that are read after the reader finished, so that the connection can be reused. */
const DISCARD_LIMIT = 64 * 1024;

interface Waiting {
  resolve: (result: IteratorResult<Buffer, undefined>) => void;
  reject: (error: Error) => void;
}

/** Replaces the stream's iterator: one promise per chunk, at most 64 KiB in memory, and a count of the bytes read. */
export class BodyReader implements AsyncIterableIterator<Buffer, undefined> {
  readonly #source: IncomingMessage;
  readonly #maxBytes: number;
  readonly #stop: () => void;
  readonly #queue: Buffer[] = [];
  #queuedBytes = 0;
  #readBytes = 0;
  #started = false;
  #ended = false;
  #discardLeft: number | null = null;
  #failure: Error | null = null;
  #waiting: Waiting | null = null;

  constructor(source: IncomingMessage, maxBytes: number, stop: () => void) {
    this.#source = source;
    this.#maxBytes = maxBytes;
    this.#stop = stop;
    source.once('end', () => this.#finish());
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Buffer, undefined>> {
    const chunk = this.#queue.shift();
    if (chunk) {
      this.#queuedBytes -= chunk.length;
      if (this.#queue.length === 0 && this.#source.isPaused()) this.#source.resume();
      return Promise.resolve({ value: chunk, done: false });
    }
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#start();
    });
  }

  return(): Promise<IteratorResult<Buffer, undefined>> {
    if (!this.#ended) this.#stop();
    return Promise.resolve({ value: undefined, done: true });
  }

  fail(error: Error, drop: boolean): void {
    if (this.#ended || this.#failure) return;
    this.#failure = error;
    if (drop) this.#queue.length = 0;
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.reject(error);
  }

  discard(): void {
    if (this.#ended || this.#failure) return;
    this.#queue.length = 0;
    this.#discardLeft = DISCARD_LIMIT;
    this.#start();
    this.#source.resume();
  }

  #start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#source.on('data', (chunk: Buffer) => this.#receive(chunk));
  }

  #receive(chunk: Buffer): void {
    if (this.#failure) return;
    if (this.#discardLeft !== null) {
      this.#discardLeft -= chunk.length;
      if (this.#discardLeft < 0) this.#stop();
      return;
    }
    this.#readBytes += chunk.length;
    if (this.#readBytes > this.#maxBytes) {
      this.fail(new OutboundFailed('too_large', `The answer is over ${this.#maxBytes} bytes`), false);
      this.#stop();
      return;
    }
    const waiting = this.#waiting;
    if (waiting) {
      this.#waiting = null;
      waiting.resolve({ value: chunk, done: false });
      return;
    }
    this.#queue.push(chunk);
    this.#queuedBytes += chunk.length;
    if (this.#queuedBytes >= HIGH_WATER) this.#source.pause();
  }

  #finish(): void {
    if (this.#failure) return;
    this.#ended = true;
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.resolve({ value: undefined, done: true });
  }
}
