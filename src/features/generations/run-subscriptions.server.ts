import { database } from '#platform/database/database.server.ts';
import { onNotification } from '#platform/database/notifications.server.ts';
import { log } from '#platform/log.server.ts';
import type { GenerationView } from './contract.ts';
import { failureText } from './failure-text.server.ts';
import { liveRuns } from './live-runs.server.ts';
import { keptText } from './shown-text-store.server.ts';
import { CHANNEL, type GenerationRow, loggedText, ownGenerationWithLog } from './store.server.ts';
import { type Thinking, thinkingOf } from './thinking-store.server.ts';

interface Position {
  epoch: number;
  length: number;
}

export interface Subscriber {
  generationId: string;
  userId: string;
  position(): Position;
  ready(): boolean;
  /** The `ms` of the thinking that was delivered last; -1 before any. */
  thoughtMs(): number;
  /** @returns false if not all of it could be taken */
  think(thinking: Thinking): boolean;
  deliver(update: { epoch: number; from: number; text: string; reset: boolean }): boolean;
  end(view: Omit<GenerationView, 'text'>): void;
}

const subscribers = new Map<string, Set<Subscriber>>();
/** Covers a notification that was lost with its connection. */
const POLL_MS = 2_000;

let pollTimer: NodeJS.Timeout | undefined;

export function viewOf(row: GenerationRow): Omit<GenerationView, 'text'> {
  return {
    id: row.id,
    state: row.state,
    feature: row.feature,
    requestKey: row.idempotency_key,
    creditsCharged: row.credits_charged,
    finishReason: row.finish_reason,
    answeredBy: row.answered_by,
    thoughtMs: row.thought_ms,
    error: row.error_code ? { code: row.error_code, message: failureText(row.error_message ?? '') } : null,
  };
}

interface Missing {
  from: number;
  text: string;
  reset: boolean;
}

function missingText(row: GenerationRow, whole: string, { epoch, length }: Position): Missing {
  const known = epoch > 0 && epoch <= row.epoch && length <= whole.length;
  const from = known ? length : 0;
  return { from, text: whole.slice(from), reset: !known };
}

/** Positions at which a reader was found to be right although the log has less. */
const keptUpTo = new WeakMap<Subscriber, string>();

/** A reader that is ahead of the log and of what its process has shown starts over with the stored text. */
async function missingLoggedText(
  follower: Subscriber,
  row: GenerationRow & { logged: number },
  { epoch, length }: Position,
): Promise<Missing> {
  const nothing = { from: length, text: '', reset: false };
  const same = epoch === row.epoch;
  if (same && row.logged === length) return nothing;
  if (!same || row.logged > length) {
    const from = same ? length : 0;
    return { from, text: (await loggedText(database(), row.id, row.epoch, from)).text, reset: !same };
  }
  const place = `${epoch}-${length}-${row.logged}`;
  if (keptUpTo.get(follower) === place) return nothing;
  const kept = await keptText(database(), row);
  if (kept.length < length) return { from: 0, text: kept, reset: true };
  keptUpTo.set(follower, place);
  return { from: length, text: kept.slice(length), reset: false };
}

/** Returns whether the reader has all thinking. One that lacks some is served even if nothing is new. */
async function tellThinking(follower: Subscriber, row: GenerationRow): Promise<boolean> {
  if (row.thought_ms === null || row.thought_ms === follower.thoughtMs()) return true;
  const thinking = await thinkingOf(database(), row.id);
  return thinking === null || follower.think(thinking);
}

async function catchUp(follower: Subscriber): Promise<void> {
  const look = () => ownGenerationWithLog(database(), follower.userId, follower.generationId);
  let row = await look();
  if (!row) return;
  const at = follower.position();
  let missing =
    row.text === null ? await missingLoggedText(follower, row, at) : missingText(row, row.text, at);
  if (row.text === null && missing.reset) {
    // The log is deleted when the run ends, possibly while it is read here.
    row = (await look()) ?? row;
    if (row.text !== null) missing = missingText(row, row.text, at);
  }
  const thought = await tellThinking(follower, row);
  const whole = missing.text === '' && !missing.reset;
  const taken = (whole || follower.deliver({ epoch: row.epoch, ...missing })) && thought;
  if (row.text === null || !taken) return;
  unsubscribe(follower);
  follower.end(viewOf(row));
}

/** An update that is requested during a catch-up is not lost. */
const busy = new WeakMap<Subscriber, { again: boolean }>();
async function update(follower: Subscriber): Promise<void> {
  if (!follower.ready()) return;
  const running = busy.get(follower);
  if (running) {
    running.again = true;
    return;
  }
  const state = { again: false };
  busy.set(follower, state);
  try {
    do {
      state.again = false;
      await catchUp(follower);
    } while (state.again);
  } catch (error) {
    log.warn({ error }, 'the reader of a stream could not be served; retrying');
  } finally {
    busy.delete(follower);
  }
}

export function subscribe(follower: Subscriber): void {
  const group = subscribers.get(follower.generationId) ?? new Set();
  group.add(follower);
  subscribers.set(follower.generationId, group);
  void update(follower);
}

export function resumeSubscriber(follower: Subscriber): void {
  if (subscribers.get(follower.generationId)?.has(follower)) void update(follower);
}

export function unsubscribe(follower: Subscriber): void {
  const group = subscribers.get(follower.generationId);
  group?.delete(follower);
  if (group?.size === 0) subscribers.delete(follower.generationId);
}

function onRunNotification(payload: string): void {
  const colon = payload.indexOf(':');
  const kind = payload.slice(0, colon);
  for (const id of payload.slice(colon + 1).split(',')) {
    if (kind === 'stop') liveRuns.get(id)?.halt('stop');
    else for (const follower of subscribers.get(id) ?? []) void update(follower);
  }
}

export function startSubscriptions(): void {
  onNotification(CHANNEL, onRunNotification);
  pollTimer ??= setInterval(() => {
    for (const group of subscribers.values()) for (const follower of group) void update(follower);
  }, POLL_MS);
}

export function stopSubscriptions(): void {
  clearInterval(pollTimer);
  pollTimer = undefined;
}
