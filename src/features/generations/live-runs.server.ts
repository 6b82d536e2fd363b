import { type Span, startSpan } from '#platform/tracing/tracing.server.ts';
import type { GenerationView } from './contract.ts';

export interface Listener {
  /** Text from `from` (UTF-16 units) on has become `text.slice(from)`. */
  progress(run: LiveRun): void;
  end(run: LiveRun): void;
}

/** Between two paints of a reader; a first token never waits for it. */
const COALESCE_MS = 50;
/** With more runs than this waiting for it, every second turn is left out: half of the events, a token or two each. */
const MANY_RUNS = 40;

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
  delivered = 0;
  incomplete = false;
  logged = 0;
  ending: 'stop' | 'shutdown' | 'lost' | null = null;
  view: Omit<GenerationView, 'text'> | null = null;
  credits: number | null = null;
  readonly listeners = new Set<Listener>();
  frame: { from: number; to: number; bytes: string } | null = null;
  broadcastLength = 0;

  constructor(run: { id: string; userId: string; feature: string; key: string; epoch: number }) {
    this.id = run.id;
    this.userId = run.userId;
    this.feature = run.feature;
    this.key = run.key;
    this.epoch = run.epoch;
    this.span = startSpan(`run ${run.feature}`, { attributes: { 'site.tool': run.feature } });
  }

  append(delta: string): void {
    const first = this.text.length === 0;
    this.text += delta;
    if (first) this.broadcast();
    else dirty.add(this);
  }

  broadcast(): void {
    this.broadcastLength = this.text.length;
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
    this.#endSpan(view);
    for (const listener of this.listeners) listener.end(this);
    this.listeners.clear();
  }

  /** Not ours any more, without its end. */
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
    // Stopped is what the person wanted.
    this.span.end(state === 'done' || state === 'stopped' ? undefined : (error?.code ?? state));
  }
}

const runs = new Map<string, LiveRun>();
const dirty = new Set<LiveRun>();

export const liveRuns: ReadonlyMap<string, LiveRun> = runs;

export function addLive(run: LiveRun): void {
  runs.set(run.id, run);
}

export function removeLive(run: LiveRun): void {
  dirty.delete(run);
  if (runs.get(run.id) === run) runs.delete(run.id);
}

let ticker: NodeJS.Timeout | undefined;

export function startBroadcasting(): void {
  let leftOut = false;
  ticker ??= setInterval(() => {
    leftOut = dirty.size > MANY_RUNS && !leftOut;
    if (leftOut) return;
    for (const run of dirty) run.broadcast();
    dirty.clear();
  }, COALESCE_MS);
}

export function stopBroadcasting(): void {
  clearInterval(ticker);
  ticker = undefined;
}
