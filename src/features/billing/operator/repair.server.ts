import { database } from '#platform/database/database.server.ts';
import { recordAct } from '#platform/operator-acts.server.ts';
import { type Reconciled, reconcileAll, refetchUser } from '../subscriptions/reconcile.server.ts';
import { type ReplayResult, replayStoredEvents } from '../webhook-inbox.server.ts';
import { OperatorError, requireUser } from './billing-overview.server.ts';
import { type OperatorAction, requireProvider } from './operator-actions.server.ts';

export type ReplaySelection = { eventId: string } | { since: Date } | { failed: true };

/** Applies stored events again; those already applied change nothing. */
export async function replayEvents(chosen: ReplaySelection, act: OperatorAction): Promise<ReplayResult> {
  requireProvider();
  const counts = await replayStoredEvents(chosen);
  if (counts.events === 0 && 'eventId' in chosen)
    throw new OperatorError(
      `Event ${chosen.eventId} is not stored with its content, so it cannot be replayed.`,
    );
  const details = { ...chosen, ...counts };
  await recordAct(database(), { ...act, action: 'replay', userId: null, details });
  return counts;
}

export async function reconcile(
  { target }: { target: string | null },
  act: OperatorAction,
): Promise<Reconciled> {
  requireProvider();
  const userId = target === null ? null : (await requireUser(target)).id;
  const counts = userId === null ? await reconcileAll() : await refetchUser(userId);
  await recordAct(database(), { ...act, action: 'reconcile', userId, details: counts });
  return counts;
}
