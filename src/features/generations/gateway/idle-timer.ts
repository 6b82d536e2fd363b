/** Extending the deadline usually only assigns a number, so it is cheap for every token. Times in milliseconds. */
export class IdleTimer {
  readonly #onSilence: () => void;
  #deadline = Number.POSITIVE_INFINITY;
  #armedFor = Number.POSITIVE_INFINITY;
  #left = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number, onSilence: () => void) {
    this.#onSilence = onSilence;
    this.restart(ms);
  }

  restart(ms: number): void {
    this.#deadline = performance.now() + ms;
    this.#arm();
  }

  /** Pauses the timer while our own reader is busy: only the gateway's silence counts. */
  hold(): void {
    this.#left = this.#deadline - performance.now();
    this.#deadline = Number.POSITIVE_INFINITY;
  }

  resume(): void {
    this.restart(this.#left);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#armedFor = Number.NEGATIVE_INFINITY;
  }

  #arm(): void {
    if (this.#deadline >= this.#armedFor) return;
    clearTimeout(this.#timer);
    this.#armedFor = this.#deadline;
    this.#timer = setTimeout(() => this.#fire(), Math.max(1, Math.ceil(this.#deadline - performance.now())));
  }

  #fire(): void {
    this.#armedFor = Number.POSITIVE_INFINITY;
    if (performance.now() >= this.#deadline) this.#onSilence();
    else if (this.#deadline !== Number.POSITIVE_INFINITY) this.#arm();
  }
}
