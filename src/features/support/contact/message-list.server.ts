import { type Database, database } from '#platform/database/database.server.ts';
import { everyRow } from '#platform/database/page.server.ts';
import { csvLine } from '#shared/csv.ts';
import { contactKinds, readReference } from './contact-contract.ts';
import {
  countMessages,
  findMessage,
  findMessages,
  type MessageRow,
  markDone,
  messagesAfter,
} from './message-store.server.ts';

/** Its message is a single line for the operator. */
export class ContactCommandError extends Error {}

const MAX_LISTED = 100;
const PAGE = 200;

export async function listMessages(name: string): Promise<{ rows: MessageRow[]; count: number }> {
  const list = (['open', 'done', 'all'] as const).find((each) => each === name);
  if (!list) throw new ContactCommandError(`There is no list "${name}".`);
  return {
    rows: await findMessages(database(), list, MAX_LISTED),
    count: await countMessages(database(), list),
  };
}

async function requireMessage(db: Database, typed: string): Promise<MessageRow> {
  const reference = readReference(typed);
  const message = reference && (await findMessage(db, reference));
  if (!message) throw new ContactCommandError(`No message has the reference "${typed}".`);
  return message;
}

export const showMessage = (typed: string): Promise<MessageRow> => requireMessage(database(), typed);

/** Starts the period after which the message is deleted. */
export async function closeMessage(db: Database, typed: string, operator: string): Promise<MessageRow> {
  const { reference } = await requireMessage(db, typed);
  const isMarked = await markDone(db, reference, operator);
  const message = await requireMessage(db, reference);
  if (!isMarked)
    throw new ContactCommandError(
      `${reference} was already marked done on ${message.done_at?.toISOString().slice(0, 10)} by ${message.done_by}.`,
    );
  return message;
}

const iso = (date: Date | null) => date?.toISOString() ?? '';

export async function* messagesCsv(): AsyncGenerator<string> {
  yield csvLine([
    ...['reference', 'received', 'about', 'name', 'email', 'account', 'message', 'done', 'done_by'],
    'unsent_mails',
  ]);
  const read = (last: MessageRow | null, size: number) =>
    messagesAfter(database(), last?.reference ?? '', size);
  for await (const row of everyRow(PAGE, read))
    yield csvLine([
      ...[row.reference, iso(row.created_at), contactKinds[row.kind](), row.name, row.email, row.user_id],
      ...[row.message, iso(row.done_at), row.done_by, row.unsent.join(' ')],
    ]);
}
