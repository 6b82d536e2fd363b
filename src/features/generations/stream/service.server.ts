import type { ServerResponse } from 'node:http';
import type { GenerationView } from '../contract.ts';
import { type Follower, follow, unfollow } from '../follow/service.server.ts';
import { type Listener, type LiveRun, liveRuns } from '../live/service.server.ts';

/** A reader that leaves this much unread is cut; it resumes where it was. */
const SLOW_BYTES = 64 * 1024;
const KEEP_ALIVE_MS = 10_000;

const open = new Set<Reader>();
let beating = false;

/** Number of event streams that this process serves. */
export const openStreams = (): number => open.size;

function frameOf(event: 'delta' | 'reset', epoch: number, to: number, text: string): string {
  return `id: ${epoch}-${to}\nevent: ${event}\ndata: ${JSON.stringify({ text })}\n\n`;
}

/** One event stream over one response, from a live run or from the log of another process's run. */
class Reader implements Listener, Follower {
  readonly generationId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly #response: ServerResponse;
  #epoch: number;
  #at: number;

  constructor(
    response: ServerResponse,
    who: { userId: string; sessionId: string },
    generationId: string,
    from: { epoch: number; length: number },
  ) {
    this.#response = response;
    this.userId = who.userId;
    this.sessionId = who.sessionId;
    this.generationId = generationId;
    this.#epoch = from.epoch;
    this.#at = from.length;
    open.add(this);
    response.on('close', () => this.leave());
  }

  write(bytes: string): void {
    if (this.#response.destroyed) return;
    if (this.#response.writableLength > SLOW_BYTES) this.#response.destroy();
    else this.#response.write(bytes);
  }

  leave(): void {
    open.delete(this);
    unfollow(this);
    liveRuns.get(this.generationId)?.listeners.delete(this);
  }

  /** Cuts the stream, for a session that has ended. */
  cut(): void {
    this.#response.destroy();
  }

  /** Attaches to a run of this process. */
  join(run: LiveRun): void {
    const known = this.#epoch === run.epoch && this.#at <= run.text.length;
    if (!known) {
      this.#epoch = run.epoch;
      this.#at = run.text.length;
      this.write(frameOf('reset', run.epoch, this.#at, run.text));
    } else this.progress(run);
    run.listeners.add(this);
  }

  progress(run: LiveRun): void {
    const to = run.text.length;
    if (to <= this.#at) return;
    if (run.frame?.from !== this.#at || run.frame.to !== to) {
      run.frame = { from: this.#at, to, bytes: frameOf('delta', run.epoch, to, run.text.slice(this.#at)) };
    }
    this.#at = to;
    this.write(run.frame.bytes);
  }

  position() {
    return { epoch: this.#epoch, length: this.#at };
  }

  deliver(update: { epoch: number; from: number; text: string; reset: boolean }): void {
    this.#epoch = update.epoch;
    this.#at = update.from + update.text.length;
    this.write(frameOf(update.reset ? 'reset' : 'delta', update.epoch, this.#at, update.text));
  }

  end(ended: LiveRun | Omit<GenerationView, 'text'>): void {
    const live = 'listeners' in ended;
    if (live) this.progress(ended);
    const view = live ? ended.view : ended;
    // Without a view the run's end is not known here: the reader comes back and asks again.
    if (view)
      this.write(
        `event: end\ndata: ${JSON.stringify({ ...view, credits: live ? ended.credits : null })}\n\n`,
      );
    this.#response.end();
  }
}

/** What a Last-Event-ID names; nothing known is position 0 of an epoch that never is, which yields a reset. */
export function parsePosition(id: string | undefined): { epoch: number; length: number } | null {
  const match = /^(\d{1,9})-(\d{1,9})$/.exec(id ?? '');
  return match ? { epoch: Number(match[1]), length: Number(match[2]) } : null;
}

/**
 * Writes the event stream of a generation to a response whose headers are not sent yet. Ends the response after
 * the run's end. The caller has proven that the generation is the actor's.
 * @param from the reader's position; null sends all text as a `reset`.
 * @param first frames that go out at once, before any event of the run.
 */
export function streamTo(
  response: ServerResponse,
  who: { userId: string; sessionId: string },
  generationId: string,
  from: { epoch: number; length: number } | null,
  first = '',
): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'private, no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  response.write(`retry: 1000\n\n${first}`);
  const reader = new Reader(response, who, generationId, from ?? { epoch: 0, length: 0 });
  keepAlive();
  const run = liveRuns.get(generationId);
  if (run) reader.join(run);
  else follow(reader);
}

/** One timer for all streams of the process; a comment keeps proxies and clients from giving up. */
function keepAlive(): void {
  if (beating) return;
  beating = true;
  setInterval(() => {
    for (const each of open) each.write(': \n\n');
  }, KEEP_ALIVE_MS).unref();
}

/** Cuts the streams of a session that has ended. */
export function cutStreams(sessionIds: readonly string[]): void {
  for (const reader of open) if (sessionIds.includes(reader.sessionId)) reader.cut();
}

/** The frame that a starting request gets first. */
export function startedFrame(data: unknown): string {
  return `event: started\ndata: ${JSON.stringify(data)}\n\n`;
}
