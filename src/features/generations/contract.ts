export const generationStates = ['queued', 'running', 'done', 'stopped', 'failed', 'interrupted'] as const;
export type GenerationState = (typeof generationStates)[number];

export const isRunning = (state: string | null | undefined): boolean =>
  state === 'queued' || state === 'running';

/**
 * `length` covers the gateway's limit and our own text limit; `incomplete` means that part of the stream was lost.
 */
export type FinishReason = 'stop' | 'length' | 'filtered' | 'incomplete';

/** Precedes a text that is rewritten: only the text after the last mark counts. */
export const RESTART_MARK = '\f';

export interface GenerationView {
  id: string;
  state: GenerationState;
  feature: string;
  requestKey: string;
  creditsCharged: number;
  text: string;
  finishReason: FinishReason | null;
  /** The fallback model that answered instead of the requested one; null otherwise. */
  answeredBy: string | null;
  /** Milliseconds from the run's start to its first text; null without stored thinking. */
  thoughtMs: number | null;
  error: { code: string; message: string } | null;
}

/**
 * Events of `GET /api/generations/:id/events` and of a run started with `Accept: text/event-stream`.
 * The SSE id of `delta` and `reset` is `EPOCH-LENGTH`, where LENGTH is the UTF-16 length of the text up to and
 * including the event; a reader sends it as Last-Event-ID and gets the text that it misses.
 *
 * - `started` (only on the starting request): the ids that the tool created; the first event.
 * - `thinking`: `{ text, from, ms }`, what the model thinks before it answers. `text` replaces everything from the
 *   UTF-16 unit `from` on; 0 starts over. `ms` is the time from the run's start to the first text, or so far if there
 *   is none yet. It has no id: a reader that reconnects gets all of it.
 * - `delta`: `{ text }`, to append.
 * - `reset`: `{ text }`, replaces all text (the reader's id was unknown, or the work started over).
 * - `end`: the final view, without its text; the stream closes after it.
 *
 * `evicted` concerns only the stream: it closes because the same person has opened too many newer ones.
 */
export type GenerationEvent =
  | { event: 'started'; data: StartedRun & Record<string, unknown> }
  | { event: 'delta'; id: string; data: { text: string } }
  | { event: 'reset'; id: string; data: { text: string } }
  | { event: 'end'; data: Omit<GenerationView, 'text'> & { credits: number | null } };

export type StreamEvent =
  | GenerationEvent
  | { event: 'thinking'; data: ThinkingEvent }
  | { event: 'evicted'; data: object };

export interface ThinkingEvent {
  text: string;
  from: number;
  ms: number;
}

/** Response of `GET /api/generations/:id/thinking`; empty and 0 without thinking. */
export interface ThinkingView {
  text: string;
  ms: number;
}

export interface StartedRun {
  generation: { id: string; state: GenerationState };
}

export const idempotencyHeader = 'Idempotency-Key';
