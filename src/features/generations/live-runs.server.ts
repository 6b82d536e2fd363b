import { type Span, startSpan } from '#platform/tracing/tracing.server.ts';
import { HeldCallEnd } from './call-records.server.ts';
import type { GenerationView } from './contract.ts';
import { storeShown } from './shown-text.server.ts';
import type { ShownPiece } from './shown-text-store.server.ts';

export interface Listener {
  /** Called when more of the text is `shown`. */
  progress(run: LiveRun): void;
  /** Called when the thinking grows or ends. */
  thinkingProgress?(run: LiveRun): void;
  end(run: LiveRun): void;
}

/** Interval between updates of readers; a first token never waits for it. */
const COALESCE_MS = 50;
/** If more runs than this wait, every second tick is skipped: half as many events, each a token or two longer. */
const MANY_RUNS = 40;

/** More units than any run has. */
export const ALL_UNITS = 1_000_000;

export class LiveRun {
  readonly id: string;
  readonly userId: string;
  readonly feature: string;
  readonly key: string;
  readonly epoch: number;
  readonly abort = new AbortController();
  readonly startedAt = performance.now();
  readonly span: Span;
  text = '';
  /** UTF-16 units that readers may see: the text that would survive if this process died now. */
  shownLength = 0;
  delivered = 0;
  /** The maximum number of units to charge. */
  maxUnits = ALL_UNITS;
  incomplete = false;
  answeredBy: string | null = null;
  readonly heldCallEnd = new HeldCallEnd();
  /** `ms` is from the run's start to its first text, so far. Unlike text, thinking is shown before it is stored. */
  readonly thinking = { text: '', ms: 0, loggedMs: -1 };
  logged = 0;
  ending: 'stop' | 'shutdown' | 'lost' | null = null;
  view: Omit<GenerationView, 'text'> | null = null;
  credits: number | null = null;
  readonly listeners = new Set<Listener>();
  frame: { from: number; to: number; bytes: string } | null = null;

  constructor(run: { id: string; userId: string; feature: string; key: string; epoch: number }) {
    this.id = run.id;
    this.userId = run.userId;
    this.feature = run.feature;
    this.key = run.key;
    this.epoch = run.epoch;
    this.span = startSpan(`run ${run.feature}`, { attributes: { 'site.tool': run.feature } });
  }

  /** Ignores thinking after the first text, because the reader has moved on. */
  addThinking(piece: string): void {
    const { thinking } = this;
    const text = thinking.text === '' ? piece.trimStart() : piece;
    if (text === '' || this.text !== '') return;
    thinking.text += text;
    this.timeThinking();
  }

  timeThinking(): void {
    if (this.text !== '' || this.thinking.text === '') return;
    this.thinking.ms = Math.max(this.thinking.ms + 1, Math.round(performance.now() - this.startedAt));
    unsentThinking.add(this);
  }

  /** Null without thinking. */
  get thoughtMs(): number | null {
    return this.thinking.text === '' ? null : this.thinking.ms;
  }

  append(delta: string): void {
    const first = this.text.length === 0;
    if (first) this.timeThinking();
    this.text += delta;
    (first ? fresh : dirty).add(this);
    if (first) void show(fresh);
  }

  get shown(): string {
    return this.text.slice(0, this.shownLength);
  }

  unshown(): ShownPiece {
    return { id: this.id, from: this.shownLength, text: this.text.slice(this.shownLength) };
  }

  show(length: number): void {
    // The run may have ended, with all of its text shown, while this piece was being stored.
    if (length <= this.shownLength) return;
    this.shownLength = length;
    for (const listener of this.listeners) listener.progress(this);
  }

  halt(reason: 'stop' | 'shutdown' | 'lost'): void {
    if (this.ending || this.view) return;
    this.ending = reason;
    this.abort.abort(reason);
  }

  finish(view: Omit<GenerationView, 'text'>, credits: number | null): void {
    this.view = view;
    this.credits = credits;
    // The result is stored, so readers may see all of it.
    this.shownLength = this.text.length;
    this.#endSpan(view);
    for (const listener of this.listeners) listener.end(this);
    this.listeners.clear();
  }

  /** Ends the run here without a result: this process no longer owns it. */
  lose(): void {
    for (const listener of this.listeners) listener.end(this);
    this.listeners.clear();
    this.span.end('lost');
  }

  #endSpan({ state, finishReason, error }: Omit<GenerationView, 'text'>): void {
    this.span.set({
      'site.run.state': state,
      'site.run.finish': finishReason,
      'site.run.characters': this.text.length,
    });
    // A Stop is not an error: the person wanted it.
    this.span.end(state === 'done' || state === 'stopped' ? undefined : (error?.code ?? state));
  }
}

const runs = new Map<string, LiveRun>();
/** Runs with text that is not shown yet: `fresh` waits for the first text, `dirty` for more. */
const fresh = new Set<LiveRun>();
const dirty = new Set<LiveRun>();
/** Runs with thinking that their readers have not received. */
const unsentThinking = new Set<LiveRun>();

export const liveRuns: ReadonlyMap<string, LiveRun> = runs;

export function addLive(run: LiveRun): void {
  runs.set(run.id, run);
}

export function removeLive(run: LiveRun): void {
  fresh.delete(run);
  dirty.delete(run);
  unsentThinking.delete(run);
  if (runs.get(run.id) === run) runs.delete(run.id);
}

let showing = false;

/** Stores the waiting text, then shows it; first texts that arrive meanwhile are next. */
async function show(waiting: Set<LiveRun>): Promise<void> {
  if (showing) return;
  showing = true;
  try {
    for (let runs = waiting; runs.size > 0; runs = fresh) {
      const pieces = [...runs].map((run) => ({ run, ...run.unshown() }));
      runs.clear();
      await storeShown(pieces);
      for (const { run, from, text } of pieces) run.show(from + text.length);
    }
  } finally {
    showing = false;
  }
}

function showThinking(): void {
  for (const run of unsentThinking) for (const listener of run.listeners) listener.thinkingProgress?.(run);
  unsentThinking.clear();
}

let ticker: NodeJS.Timeout | undefined;

export function startBroadcasting(): void {
  let skipped = false;
  ticker ??= setInterval(() => {
    skipped = dirty.size > MANY_RUNS && !skipped;
    if (skipped) return;
    showThinking();
    void show(dirty);
  }, COALESCE_MS);
}

export function stopBroadcasting(): void {
  clearInterval(ticker);
  ticker = undefined;
}
