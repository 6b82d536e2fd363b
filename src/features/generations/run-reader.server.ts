import type { GenerationView } from './contract.ts';
import { type Listener, type LiveRun, liveRuns } from './live-runs.server.ts';
import { type Subscriber, subscribe, unsubscribe } from './run-subscriptions.server.ts';
import type { Thinking } from './thinking-store.server.ts';

type RunEnd = Omit<GenerationView, 'text'>;

/** Follows the growing text of a run, whichever process writes it. */
class RunReader implements Listener, Subscriber {
  readonly generationId: string;
  readonly userId: string;
  text = '';
  thinking: Thinking = { text: '', ms: -1 };
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

  nextChange(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  thinkingProgress({ thinking: { text, ms } }: LiveRun): void {
    this.deliverThinking({ text, ms });
  }

  thoughtMs(): number {
    return this.thinking.ms;
  }

  deliverThinking(thinking: Thinking): boolean {
    this.thinking = thinking;
    this.#wake();
    return true;
  }

  progress(run: LiveRun): void {
    this.thinkingProgress(run);
    this.text = run.shown;
    this.#epoch = run.epoch;
    this.#wake();
  }

  end(ended: LiveRun | RunEnd): void {
    const live = 'listeners' in ended;
    if (live) this.progress(ended);
    this.ended = live ? ended.view : ended;
    // The outcome is unknown here, so look for it in the database.
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

export interface RunPiece {
  text: string;
  thinking: string;
}

/**
 * Yields the text of a run and the thinking before it, and returns its final view, or null once `disconnected` is
 * aborted. The caller has verified that the run is the person's.
 */
export async function* readRun(
  { userId, id }: { userId: string; id: string },
  disconnected: AbortSignal,
): AsyncGenerator<RunPiece, GenerationView | null, void> {
  const reader = new RunReader(userId, id);
  const leave = () => reader.leave();
  disconnected.addEventListener('abort', leave);
  reader.join();
  try {
    for (const at = { text: 0, thinking: 0 }; !disconnected.aborted; ) {
      const { text, thinking, ended } = reader;
      if (text.length > at.text || thinking.text.length > at.thinking) {
        const piece = { text: text.slice(at.text), thinking: thinking.text.slice(at.thinking) };
        at.text = text.length;
        at.thinking = Math.max(at.thinking, thinking.text.length);
        yield piece;
      } else if (ended) return { ...ended, text };
      else await reader.nextChange();
    }
    return null;
  } finally {
    disconnected.removeEventListener('abort', leave);
    leave();
  }
}
