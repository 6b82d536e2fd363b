import { database } from '#platform/database/database.server.ts';
import { onNotification } from '#platform/database/notifications.server.ts';
import { log } from '#platform/log.server.ts';
import type { GenerationView } from './contract.ts';
import { failureText } from './failure-text.server.ts';
import { liveRuns } from './live-runs.server.ts';
import { storedText } from './shown-text-store.server.ts';
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
  deliverThinking(thinking: Thinking): boolean;
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

function missingText(row: GenerationRow, text: string, { epoch, length }: Position): Missing {
  const known = epoch > 0 && epoch <= row.epoch && length <= text.length;
  const from = known ? length : 0;
  return { from, text: text.slice(from), reset: !known };
}

/** Positions at which a reader was found to be right although the log has less. */
const confirmedPositions = new WeakMap<Subscriber, string>();

/** A reader that is ahead of the log and of what its process has shown starts over with the stored text. */
async function missingLoggedText(
  subscriber: Subscriber,
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
  const position = `${epoch}-${length}-${row.logged}`;
  if (confirmedPositions.get(subscriber) === position) return nothing;
  const stored = await storedText(database(), row);
  if (stored.length < length) return { from: 0, text: stored, reset: true };
  confirmedPositions.set(subscriber, position);
  return { from: length, text: stored.slice(length), reset: false };
}

/** Returns whether the reader has all thinking. One that lacks some is served even if nothing is new. */
async function sendThinking(subscriber: Subscriber, row: GenerationRow): Promise<boolean> {
  if (row.thought_ms === null || row.thought_ms === subscriber.thoughtMs()) return true;
  const thinking = await thinkingOf(database(), row.id);
  return thinking === null || subscriber.deliverThinking(thinking);
}

async function catchUp(subscriber: Subscriber): Promise<void> {
  const loadRow = () => ownGenerationWithLog(database(), subscriber.userId, subscriber.generationId);
  let row = await loadRow();
  if (!row) return;
  const at = subscriber.position();
  let missing =
    row.text === null ? await missingLoggedText(subscriber, row, at) : missingText(row, row.text, at);
  if (row.text === null && missing.reset) {
    // The log is deleted when the run ends, possibly while it is read here.
    row = (await loadRow()) ?? row;
    if (row.text !== null) missing = missingText(row, row.text, at);
  }
  const hasThinking = await sendThinking(subscriber, row);
  const upToDate = missing.text === '' && !missing.reset;
  const delivered = (upToDate || subscriber.deliver({ epoch: row.epoch, ...missing })) && hasThinking;
  if (row.text === null || !delivered) return;
  unsubscribe(subscriber);
  subscriber.end(viewOf(row));
}

/** An update that is requested during a catch-up is not lost. */
const busy = new WeakMap<Subscriber, { again: boolean }>();
async function update(subscriber: Subscriber): Promise<void> {
  if (!subscriber.ready()) return;
  const running = busy.get(subscriber);
  if (running) {
    running.again = true;
    return;
  }
  const state = { again: false };
  busy.set(subscriber, state);
  try {
    do {
      state.again = false;
      await catchUp(subscriber);
    } while (state.again);
  } catch (error) {
    log.warn({ error }, 'the reader of a stream could not be served; retrying');
  } finally {
    busy.delete(subscriber);
  }
}

export function subscribe(subscriber: Subscriber): void {
  const group = subscribers.get(subscriber.generationId) ?? new Set();
  group.add(subscriber);
  subscribers.set(subscriber.generationId, group);
  void update(subscriber);
}

export function resumeSubscriber(subscriber: Subscriber): void {
  if (subscribers.get(subscriber.generationId)?.has(subscriber)) void update(subscriber);
}

export function unsubscribe(subscriber: Subscriber): void {
  const group = subscribers.get(subscriber.generationId);
  group?.delete(subscriber);
  if (group?.size === 0) subscribers.delete(subscriber.generationId);
}

function onRunNotification(payload: string): void {
  const colon = payload.indexOf(':');
  const kind = payload.slice(0, colon);
  for (const id of payload.slice(colon + 1).split(',')) {
    if (kind === 'stop') liveRuns.get(id)?.halt('stop');
    else for (const subscriber of subscribers.get(id) ?? []) void update(subscriber);
  }
}

export function startSubscriptions(): void {
  onNotification(CHANNEL, onRunNotification);
  pollTimer ??= setInterval(() => {
    for (const group of subscribers.values()) for (const subscriber of group) void update(subscriber);
  }, POLL_MS);
}

export function stopSubscriptions(): void {
  clearInterval(pollTimer);
  pollTimer = undefined;
}
