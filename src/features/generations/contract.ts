export const generationStates = ['queued', 'running', 'done', 'stopped', 'failed', 'interrupted'] as const;
export type GenerationState = (typeof generationStates)[number];

export const isRunning = (state: string | null | undefined): boolean =>
  state === 'queued' || state === 'running';

/**
 * `length` covers the gateway's limit and our own text bound; in an `incomplete` one a piece of the stream could not
 * be read.
 */
export type FinishReason = 'stop' | 'length' | 'filtered' | 'incomplete';

/** Before a text that is written anew: what counts is what follows the last one. */
export const RESTART_MARK = '\f';

export interface GenerationView {
  id: string;
  state: GenerationState;
  feature: string;
  requestKey: string;
  creditsCharged: number;
  text: string;
  finishReason: FinishReason | null;
  /** In place of the model that was asked, where the gateway fell back to it. */
  answeredBy: string | null;
  /** From its start to its first text, where the model's thinking is kept; null without any. */
  thoughtMs: number | null;
  error: { code: string; message: string } | null;
}

/**
 * Events of `GET /api/generations/:id/events` and of a run started with `Accept: text/event-stream`.
 * The SSE id of `delta` and `reset` is `EPOCH-LENGTH`, LENGTH being the UTF-16 length of the text up to and
 * including the event; a reader sends it as Last-Event-ID and gets what it misses.
 *
 * - `started` (only on the starting request): the ids that the tool made, before anything else.
 * - `thinking`: `{ text, from, ms }`, what the model thinks before it answers: `text` is to stand from the UTF-16 unit
 *   `from` on, 0 beginning anew; `ms` is the time from the run's start, to the first text once there is some. It has no
 *   id: whoever reads anew gets all of it.
 * - `delta`: `{ text }`, to append.
 * - `reset`: `{ text }`, replaces all text (the reader's id was not known, or the work began anew).
 * - `end`: the final view, without its text; the stream closes after it.
 *
 * `evicted` is about the stream alone: it closes because the same person has opened many newer ones.
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

/** Answer of `GET /api/generations/:id/thinking`; empty and 0 without any. */
export interface ThinkingView {
  text: string;
  ms: number;
}

export interface StartedRun {
  generation: { id: string; state: GenerationState };
}

export const idempotencyHeader = 'Idempotency-Key';
