import { database } from '../../../../platform/database/database.server.ts';
import { type Replayed, replay } from '../../inbox/service.server.ts';
import { provider } from '../../provider/service.server.ts';
import { pullPerson, type Reconciled, reconcileAll } from '../../reconcile/service.server.ts';
import { type Act, needProvider } from '../acts/service.server.ts';
import { noteAction } from '../acts/store.server.ts';
import { OperatorError, personOf } from '../service.server.ts';

/** Which stored events are applied again: one by the provider's id, those since a time, or the failed. */
export type Chosen = { eventId: string } | { since: Date } | { failed: true };

/** Applies stored events again; what was applied before changes nothing. @throws OperatorError. */
export async function replayEvents(chosen: Chosen, act: Act): Promise<Replayed> {
  needProvider(provider());
  const counts = await replay(chosen);
  if (counts.events === 0 && 'eventId' in chosen)
    throw new OperatorError(`No event ${chosen.eventId} is stored with its content.`);
  await noteAction(database(), { ...act, action: 'replay', userId: null, details: { ...chosen, ...counts } });
  return counts;
}

/** Reads the provider, of one person or of all, and puts right what its events have missed. @throws OperatorError. */
export async function reconcile({ target }: { target: string | null }, act: Act): Promise<Reconciled> {
  needProvider(provider());
  const userId = target === null ? null : (await personOf(target)).id;
  const counts = userId === null ? await reconcileAll() : await pullPerson(userId);
  await noteAction(database(), { ...act, action: 'reconcile', userId, details: counts });
  return counts;
}
