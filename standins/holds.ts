/** Calls that wait for POST /control {"release": ...}: tests hold an answer at a known place without sleeping. */
import type { ServerResponse } from 'node:http';

interface Held {
  text: string;
  go(): void;
}

export class Holds {
  readonly #held = new Set<Held>();

  /** Waits for a release; `text` names the call. Resolves true then, false when the reader is gone. */
  wait(text: string, res: ServerResponse): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (released: boolean) => {
        this.#held.delete(held);
        res.off('close', onClose);
        resolve(released);
      };
      const onClose = () => settle(false);
      const held: Held = { text, go: () => settle(true) };
      if (res.destroyed) return resolve(false);
      this.#held.add(held);
      res.once('close', onClose);
    });
  }

  /** How many calls wait. */
  get size(): number {
    return this.#held.size;
  }

  /** Lets go of every held call, or of those whose text contains `text`; returns how many. */
  release(text: string | true): number {
    const chosen = [...this.#held].filter((held) => text === true || held.text.includes(text));
    for (const held of chosen) held.go();
    return chosen.length;
  }
}
