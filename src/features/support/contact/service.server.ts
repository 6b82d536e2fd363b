import { createHash, randomInt } from 'node:crypto';
import { database, transaction } from '../../../platform/database/database.server.ts';
import type { Actor } from '../../../platform/http/actor.server.ts';
import { log } from '../../../platform/log/log.server.ts';
import { emailAddress } from '../../../platform/mail/email-address.server.ts';
import { lengthOf, plainLine, plainText } from '../../../shared/typed-text.ts';
import {
  type ContactErrors,
  type ContactMessage,
  contactLimits,
  contactTexts,
  isContactKind,
  referenceSigns,
  type TypedMessage,
} from './contract.ts';
import { limitMessages } from './limits/service.server.ts';
import { sendSoon } from './mails/service.server.ts';
import { insertMessage, lockDigest, purgeDone, sameMessage } from './store.server.ts';

/** The same words of the same sender within so many minutes are one message: a second press, a reload. */
const SAME_MINUTES = 10;
/** How long a message is kept that was seen to; the privacy page says so. */
const KEPT_MONTHS = 24;

/** The message of a form, cleaned of what is hidden, or what is wrong with it. */
export function checkMessage(
  typed: TypedMessage,
): { message: ContactMessage; errors: null } | { message: null; errors: ContactErrors } {
  const [name, message, email] = [plainLine(typed.name), plainText(typed.message), emailAddress(typed.email)];
  const errors: ContactErrors = {};
  const { kind } = typed;
  const length = lengthOf(message);
  if (lengthOf(name) > contactLimits.name) errors.name = contactTexts.name;
  if (email === null)
    errors.email = typed.email.trim() === '' ? contactTexts.emailMissing : contactTexts.email;
  if (!isContactKind(kind)) errors.kind = contactTexts.kind;
  if (length === 0) errors.message = contactTexts.messageMissing;
  if (length > contactLimits.message) errors.message = contactTexts.messageLong(length);
  if (Object.keys(errors).length > 0 || email === null || !isContactKind(kind))
    return { message: null, errors };
  return { message: { kind, name, email, message }, errors: null };
}

/** A reference that nobody can guess: C- and twice four of 23 signs. */
export function newReference(): string {
  const four = () =>
    Array.from({ length: 4 }, () => referenceSigns[randomInt(referenceSigns.length)]).join('');
  return `C-${four()}-${four()}`;
}

const digestOf = (userId: string | null, { email, name, kind, message }: ContactMessage) =>
  createHash('sha256')
    .update(JSON.stringify([userId, email, name, kind, message]))
    .digest();

/**
 * Stores a message and has it mailed, to support and as a receipt to its sender. The same again within minutes is the
 * one that is stored, and counts against no limit.
 * @returns its reference.
 * @throws Problem rate_limited with the seconds to wait.
 */
export function receiveMessage({
  actor,
  input,
  clientAddress,
}: {
  actor: Actor;
  input: ContactMessage;
  clientAddress: string;
}): Promise<string> {
  const userId = actor.kind === 'user' ? actor.userId : null;
  const digest = digestOf(userId, input);
  return transaction(async (tx) => {
    await lockDigest(tx, digest);
    const before = await sameMessage(tx, digest, SAME_MINUTES);
    if (before) return before;
    await limitMessages(tx, input.email, clientAddress);
    for (;;) {
      const reference = newReference();
      if (!(await insertMessage(tx, { ...input, reference, userId, digest }))) continue;
      await sendSoon(tx);
      return reference;
    }
  });
}

/** What a program sent that fell for the hidden field: nothing is kept of it, and it is told nothing. @returns a reference like any. */
export function dropMessage(requestId: string): string {
  log.info({ requestId }, 'a message with the hidden field filled in was dropped');
  return newReference();
}

/** Erases messages whose time is over. @returns their number. */
export const purgeMessages = (): Promise<number> => purgeDone(database(), KEPT_MONTHS);
