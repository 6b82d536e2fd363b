import { useSyncExternalStore } from 'react';
import type { ThinkingView } from '../contract.ts';

export type OnFrame = (work: () => void) => void;

const nextFrame: OnFrame = (work) => void requestAnimationFrame(work);

/**
 * Keeps the text outside React's state. Listeners are called at most once per frame, and less often if rendering is
 * slow, so that it takes at most about an eighth of the main thread.
 */
export class LiveText {
  thinking: ThinkingView | null = null;
  private text: string;
  private shown: string;
  private readonly prefix: string;
  private readonly listeners = new Set<() => void>();
  private waiting = false;
  private restUntil = 0;
  private readonly onFrame: OnFrame;
  private readonly now: () => number;

  /** `prefix` precedes the run's own text: a continued reply starts with the earlier text. */
  constructor(
    text = '',
    prefix = '',
    onFrame: OnFrame = nextFrame,
    now: () => number = () => performance.now(),
  ) {
    this.text = text;
    this.shown = text;
    this.prefix = prefix;
    this.onFrame = onFrame;
    this.now = now;
  }

  get fullText(): string {
    return this.text;
  }

  append(text: string): void {
    this.text += text;
    this.schedule();
  }

  reset(text: string): void {
    this.text = this.prefix + text;
    this.schedule();
  }

  setThinking(thinking: ThinkingView): void {
    this.thinking = thinking;
    for (const listener of this.listeners) listener();
  }

  snapshot = (): string => this.shown;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    if (this.text !== this.shown) this.schedule();
    return () => void this.listeners.delete(listener);
  };

  reportRenderTime(ms: number): void {
    this.restUntil = ms > 4 ? this.now() + ms * 7 : 0;
  }

  private schedule(): void {
    if (this.waiting) return;
    this.waiting = true;
    // Somebody waits for the first text, so it does not wait for a frame.
    if (this.shown === '') this.notify();
    else this.onFrame(this.notify);
  }

  private notify = (): void => {
    if (this.now() < this.restUntil) {
      this.onFrame(this.notify);
      return;
    }
    this.waiting = false;
    if (this.shown === this.text) return;
    this.shown = this.text;
    for (const listener of this.listeners) listener();
  };
}

const none = () => () => undefined;

export const useLiveText = (live: LiveText | null): string | null =>
  useSyncExternalStore<string | null>(
    live?.subscribe ?? none,
    () => live?.snapshot() ?? null,
    () => null,
  );
