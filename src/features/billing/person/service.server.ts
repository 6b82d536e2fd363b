import { type Database, database } from '../../../platform/database/database.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import {
  actionsOf,
  checkoutsOf,
  type EventRow,
  emptyLateEvents,
  eraseOf,
  eventsAfter,
  mailsOf,
  paymentsOf,
  planChangesOf,
  refundsOf,
  subscriptionsOf,
} from './store.server.ts';

/** An event holds some KB. */
const PAGE = 50;

/** Erases what names a person in their payments; the sums and dates stay, as the law on accounts asks. */
export function erasePerson(tx: Database, userId: string): Promise<void> {
  return eraseOf(tx, userId);
}

/** Erases what the provider has sent of people who were erased before. @returns the number of events. */
export function eraseLateEvents(): Promise<number> {
  return emptyLateEvents(database());
}

/** What is stored of the actor's plans, but for the events; each list oldest first. */
export async function billingRecords({ actor: { userId } }: { actor: UserActor }) {
  const db = database();
  return {
    subscriptions: await subscriptionsOf(db, userId),
    payments: await paymentsOf(db, userId),
    refunds: await refundsOf(db, userId),
    checkouts: await checkoutsOf(db, userId),
    planChanges: await planChangesOf(db, userId),
    operatorActions: await actionsOf(db, userId),
    mails: await mailsOf(db, userId),
  };
}

/** Every event of the payment provider about the actor, as it came. */
export async function* everyBillingEvent({ actor }: { actor: UserActor }): AsyncGenerator<EventRow> {
  for (let after = 0; ; ) {
    const page: EventRow[] = await eventsAfter(database(), actor.userId, after, PAGE);
    yield* page;
    after = page.at(-1)?.id ?? after;
    if (page.length < PAGE) return;
  }
}
