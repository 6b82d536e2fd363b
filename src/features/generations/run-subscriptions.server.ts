import { database } from '#platform/database/database.server.ts';
import { onNotification } from '#platform/database/notifications.server.ts';
import { log } from '#platform/log.server.ts';
import type { GenerationView } from './contract.ts';
import { failureText } from './failure-text.server.ts';
import { liveRuns } from './live-runs.server.ts';
import { CHANNEL, type GenerationRow, loggedLength, loggedText, ownGeneration } from './store.server.ts';

interface Position {
  epoch: number;
  length: number;
}

export interface Subscriber {
  generationId: string;
  userId: string;
  position(): Position;
  ready(): boolean;
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

/** A reader that is ahead of the log begins anew with what the log holds. */
async function missingLoggedText(row: GenerationRow, { epoch, length }: Position): Promise<Missing> {
  const rest = async (from: number) => (await loggedText(database(), row.id, row.epoch, from)).text;
  if (epoch !== row.epoch) return { from: 0, text: await rest(0), reset: true };
  const text = await rest(length);
  if (text !== '' || length === 0) return { from: length, text, reset: false };
  const logged = await loggedLength(database(), row.id, row.epoch);
  if (logged === null || logged >= length) return { from: length, text: '', reset: false };
  return { from: 0, text: await rest(0), reset: true };
}

async function catchUp(follower: Subscriber): Promise<void> {
  const row = await ownGeneration(database(), follower.userId, follower.generationId);
  if (!row) return;
  const at = follower.position();
  const missing = row.text === null ? await missingLoggedText(row, at) : missingText(row, row.text, at);
  const whole = missing.text === '' && !missing.reset;
  const taken = whole || follower.deliver({ epoch: row.epoch, ...missing });
  if (row.text === null || !taken) return;
  unsubscribe(follower);
  follower.end(viewOf(row));
}

/** A wish that comes during a catch-up is kept. */
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
    log.warn({ error }, 'a follower could not be served; it is tried again');
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
