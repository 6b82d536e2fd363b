import type { GenerationView } from './contract.ts';
import { type Listener, type LiveRun, liveRuns } from './live-runs.server.ts';
import { type Subscriber, subscribe, unsubscribe } from './run-subscriptions.server.ts';

type RunEnd = Omit<GenerationView, 'text'>;

/** Knows the text of a run as it grows, whichever process writes it. */
class RunReader implements Listener, Subscriber {
  readonly generationId: string;
  readonly userId: string;
  text = '';
  ended: RunEnd | null = null;
  #epoch = 0;
  #wake: () => void = () => undefined;

  constructor(userId: string, generationId: string) {
    this.userId = userId;
    this.generationId = generationId;
  }

  join(): void {
    const run = liveRuns.get(this.generationId);
    if (run) {
      this.progress(run);
      run.listeners.add(this);
    } else subscribe(this);
  }

  leave(): void {
    unsubscribe(this);
    liveRuns.get(this.generationId)?.listeners.delete(this);
    this.#wake();
  }

  change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  progress({ shown, epoch }: LiveRun): void {
    this.text = shown;
    this.#epoch = epoch;
    this.#wake();
  }

  end(ended: LiveRun | RunEnd): void {
    const live = 'listeners' in ended;
    if (live) this.progress(ended);
    this.ended = live ? ended.view : ended;
    // What became of it is not known here.
    if (!this.ended) subscribe(this);
    this.#wake();
  }

  position() {
    return { epoch: this.#epoch, length: this.text.length };
  }

  ready(): boolean {
    return true;
  }

  deliver({ epoch, from, text, reset }: Parameters<Subscriber['deliver']>[0]): boolean {
    this.#epoch = epoch;
    this.text = reset ? text : this.text.slice(0, from) + text;
    this.#wake();
    return true;
  }
}

/**
 * Yields the text of a run as it comes, and answers its end; null once `left` is aborted. The caller has proven that
 * the run is the person's.
 */
export async function* readRun(
  { userId, id }: { userId: string; id: string },
  left: AbortSignal,
): AsyncGenerator<string, GenerationView | null, void> {
  const reader = new RunReader(userId, id);
  const leave = () => reader.leave();
  left.addEventListener('abort', leave);
  reader.join();
  try {
    for (let at = 0; !left.aborted; ) {
      const { text, ended } = reader;
      if (text.length > at) {
        const piece = text.slice(at);
        at = text.length;
        yield piece;
      } else if (ended) return { ...ended, text };
      else await reader.change();
    }
    return null;
  } finally {
    left.removeEventListener('abort', leave);
    leave();
  }
}
