/** Lets tests hold an answer at a known place without sleeping, until POST /control {"release": ...}. */
import type { ServerResponse } from 'node:http';

export class HeldCalls {
  readonly #held = new Map<() => void, string>();

  /** Resolves true when released by `name` or a part of it, false when the reader is gone. */
  wait(name: string, res: ServerResponse): Promise<boolean> {
    return new Promise((resolve) => {
      if (res.destroyed) return resolve(false);
      const settle = (released: boolean) => {
        this.#held.delete(release);
        res.off('close', onClose);
        resolve(released);
      };
      const onClose = () => settle(false);
      const release = () => settle(true);
      this.#held.set(release, name);
      res.once('close', onClose);
    });
  }

  get size(): number {
    return this.#held.size;
  }

  release(text: string | true): number {
    const chosen = [...this.#held].filter(([, name]) => text === true || name.includes(text));
    for (const [release] of chosen) release();
    return chosen.length;
  }
}
