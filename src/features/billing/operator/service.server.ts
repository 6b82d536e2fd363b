import { validate as isUuid } from 'uuid';
import { database } from '../../../platform/database/database.server.ts';
import { mailTries } from '../mails/service.server.ts';
import {
  countsByState,
  disputeRows,
  driftRows,
  dueRows,
  failedRows,
  needlessRows,
  oddRefundRows,
  openRows,
  type PersonRow,
  personBy,
  refusedRows,
  renewingRows,
  subscriptionLines,
  timelineOf,
} from './store.server.ts';

/** Something that cannot be done; its message is one line for the operator. */
export class OperatorError extends Error {}

const MOST_LINES = 200;

/** A person by id or address. @throws OperatorError. */
export async function personOf(target: string): Promise<PersonRow> {
  const by = isUuid(target) ? { id: target.toLowerCase() } : { email: target.trim().toLowerCase() };
  const person = await personBy(database(), by);
  if (!person) throw new OperatorError(`There is nobody of the id or address ${target}.`);
  return person;
}

/** What the operator looks at first: how many pay, and what waits for somebody. */
export async function overview() {
  const db = database();
  return {
    states: await countsByState(db),
    lists: [
      { title: 'Renewals not paid', rows: await dueRows(db) },
      { title: 'Disputes', rows: await disputeRows(db) },
      { title: 'Refunded or disputed, but still renewing', rows: await renewingRows(db) },
      { title: 'Paid twice, or by a deleted account', rows: await needlessRows(db) },
      { title: 'Refunds that do not add up (90 days)', rows: await oddRefundRows(db) },
      { title: 'Put right by reading the provider (30 days)', rows: await driftRows(db) },
      { title: 'Events refused (30 days)', rows: await refusedRows(db) },
      { title: 'Events not applied', rows: await failedRows(db) },
      { title: 'Refunds and mails that are open', rows: await openRows(db, mailTries) },
    ],
  };
}

/** All that is known of a person's plan and money: their row, their subscriptions, and what happened, oldest first. */
export async function history(target: string) {
  const person = await personOf(target);
  const lines = await timelineOf(database(), person.id, MOST_LINES);
  return {
    person,
    subscriptions: await subscriptionLines(database(), person.id),
    timeline: lines.toReversed(),
    cut: lines.length === MOST_LINES,
  };
}
