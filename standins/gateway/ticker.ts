/**
 * One timer for all streams. A timer per stream costs more than the tokens at 1,000 streams; here each wake-up
 * serves every stream that is due, and the next one is set for the earliest stream that is not.
 */
import { performance } from 'node:perf_hooks';

interface Paced {
  /** Milliseconds of performance.now() at which something is to be done. */
  dueAt: number;
  /** Does what is due and sets `dueAt` anew; false = nothing more to do. */
  advance(now: number): boolean;
}

/** With many streams a wake-up each millisecond would do little each time; 4 ms is not seen by anybody. */
const MANY = 50;
const COARSE_MS = 4;

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
    const least = this.#paced.size > MANY ? COARSE_MS : 0;
    this.#timer = setTimeout(() => this.#wake(), Math.max(least, at - performance.now()));
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
