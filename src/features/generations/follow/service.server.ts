import pg from 'pg';
import { database } from '../../../platform/database/database.server.ts';
import { log } from '../../../platform/log/log.server.ts';
import type { GenerationView } from '../contract.ts';
import { liveRuns } from '../live/service.server.ts';
import { CHANNEL, type GenerationRow, loggedText, ownRow } from '../store.server.ts';

/** A reader of a run that another process works on. */
export interface Follower {
  generationId: string;
  userId: string;
  /** Position of the reader, kept by it. */
  position(): { epoch: number; length: number };
  /** `reset` when the epoch changed. */
  deliver(update: { epoch: number; from: number; text: string; reset: boolean }): void;
  end(view: Omit<GenerationView, 'text'>): void;
}

const followers = new Map<string, Set<Follower>>();
/** Covers a notification that was lost with its connection. */
const SAFETY_MS = 2_000;

let listener: pg.Client | undefined;
let safety: NodeJS.Timeout | undefined;
let closing = false;

/** The view of a stored generation. */
export function viewOf(row: GenerationRow): Omit<GenerationView, 'text'> {
  return {
    id: row.id,
    state: row.state,
    feature: row.feature,
    creditsCharged: row.credits_charged,
    finishReason: row.finish_reason,
    error: row.error_code ? { code: row.error_code, message: row.error_message ?? '' } : null,
  };
}

async function catchUp(follower: Follower): Promise<void> {
  const row = await ownRow(database(), follower.userId, follower.generationId);
  if (!row) return;
  const { epoch, length } = follower.position();
  const ended = row.text !== null;
  const whole = row.text ?? '';
  // A crash may have lost the last moment that this reader had seen live; only then, or for a new epoch of a run
  // that goes on, does it begin anew.
  const reset = ended ? length > whole.length : epoch !== row.epoch;
  const from = reset ? 0 : length;
  const text = ended ? whole.slice(from) : (await loggedText(database(), row.id, row.epoch, from)).text;
  if (text.length > 0 || reset) follower.deliver({ epoch: row.epoch, from, text, reset });
  if (!ended) return;
  unfollow(follower);
  follower.end(viewOf(row));
}

/** One catch-up at a time for a follower; a wish that comes meanwhile is kept. */
const busy = new WeakMap<Follower, { again: boolean }>();
async function update(follower: Follower): Promise<void> {
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

/** Serves a reader from the durable log until the run's end; `unfollow` when it leaves. */
export function follow(follower: Follower): void {
  const group = followers.get(follower.generationId) ?? new Set();
  group.add(follower);
  followers.set(follower.generationId, group);
  void update(follower);
}

export function unfollow(follower: Follower): void {
  const group = followers.get(follower.generationId);
  group?.delete(follower);
  if (group?.size === 0) followers.delete(follower.generationId);
}

function hear(payload: string): void {
  const colon = payload.indexOf(':');
  const kind = payload.slice(0, colon);
  for (const id of payload.slice(colon + 1).split(',')) {
    if (kind === 'stop') liveRuns.get(id)?.halt('stop');
    else for (const follower of followers.get(id) ?? []) void update(follower);
  }
}

/** Listens to the other processes; connects again by itself. */
export async function startFollowing(connection: pg.ClientConfig): Promise<void> {
  closing = false;
  const client = new pg.Client({ ...connection, application_name: 'site-listen', keepAlive: true });
  const again = () => {
    if (listener !== client || closing) return;
    listener = undefined;
    setTimeout(() => startFollowing(connection).catch(() => undefined), 1_000).unref();
  };
  listener = client;
  client.on('notification', ({ payload }) => hear(payload ?? ''));
  client.on('error', again);
  client.on('end', again);
  safety ??= setInterval(() => {
    for (const group of followers.values()) for (const follower of group) void update(follower);
  }, SAFETY_MS);
  try {
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
  } catch (error) {
    log.warn({ error }, 'no notifications from other processes yet');
    await client.end().catch(() => undefined);
    again();
  }
}

export async function stopFollowing(): Promise<void> {
  closing = true;
  clearInterval(safety);
  safety = undefined;
  await listener?.end().catch(() => undefined);
  listener = undefined;
}
