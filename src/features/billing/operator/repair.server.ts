import { database } from '#platform/database/database.server.ts';
import { recordAction } from '#platform/operator-actions.server.ts';
import { type Reconciled, reconcileAll, refetchUser } from '../subscriptions/reconcile.server.ts';
import { type ReplayResult, replayStoredEvents } from '../webhook-inbox.server.ts';
import { OperatorError, requireAccount } from './billing-overview.server.ts';
import { type OperatorAction, requireProvider } from './operator-actions.server.ts';

export type ReplaySelection = { eventId: string } | { since: Date } | { failed: true };

/** Applies stored events again; those already applied change nothing. */
export async function replayEvents(
  selection: ReplaySelection,
  action: OperatorAction,
): Promise<ReplayResult> {
  requireProvider();
  const counts = await replayStoredEvents(selection);
  if (counts.events === 0 && 'eventId' in selection)
    throw new OperatorError(
      `Event ${selection.eventId} is not stored with its content, so it cannot be replayed.`,
    );
  const details = { ...selection, ...counts };
  await recordAction(database(), { ...action, action: 'replay', userId: null, details });
  return counts;
}

export async function reconcile(
  { target }: { target: string | null },
  action: OperatorAction,
): Promise<Reconciled> {
  requireProvider();
  const userId = target === null ? null : (await requireAccount(target)).id;
  const counts = userId === null ? await reconcileAll() : await refetchUser(userId);
  await recordAction(database(), { ...action, action: 'reconcile', userId, details: counts });
  return counts;
}
