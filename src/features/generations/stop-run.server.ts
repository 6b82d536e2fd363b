import type { ServerResponse } from 'node:http';
import { database } from '#platform/database/database.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import { notFound } from '#platform/http/problem.server.ts';
import { log } from '#platform/log.server.ts';
import { liveRuns } from './live-runs.server.ts';
import { isOwn, notify, requestStop } from './store.server.ts';

type Person = Pick<UserActor, 'userId'>;

export async function requireOwnRun(actor: Person, id: string): Promise<void> {
  if (liveRuns.get(id)?.userId === actor.userId) return;
  if (!(await isOwn(database(), actor.userId, id))) throw notFound();
}

export async function stopRun(actor: Person, id: string): Promise<void> {
  const live = liveRuns.get(id);
  if (live?.userId === actor.userId) return live.halt('stop');
  await requireOwnRun(actor, id);
  await requestStop(database(), id);
  await notify(database(), 'stop', [id]);
}

/** Used when the items that the runs write are deleted or discarded. */
export async function stopRuns(actor: Person, ids: string[]): Promise<void> {
  for (const id of ids) await stopRun(actor, id);
}

/** A run whose request waits for its end. */
export interface AwaitedRun {
  id: string;
  userId: string;
  /** False for a repeated key: another request started the run. */
  fresh: boolean;
}

/** Aborts when the client disconnects. A run that this request started then stops, and is charged as stopped. */
export function stopOnDisconnect(response: ServerResponse, { id, userId, fresh }: AwaitedRun): AbortSignal {
  const disconnected = new AbortController();
  const leave = () => {
    if (response.writableEnded) return;
    disconnected.abort();
    if (fresh)
      stopRun({ userId }, id).catch((error: unknown) =>
        log.warn({ error, generation: id }, 'a run whose client disconnected could not be stopped'),
      );
  };
  // For a client that has already left, `close` never fires.
  if (!response.socket || response.destroyed) leave();
  else response.on('close', leave);
  return disconnected.signal;
}
