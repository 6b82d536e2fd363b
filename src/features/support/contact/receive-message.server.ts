import { createHash, randomInt } from 'node:crypto';
import { locale, m } from '#messages';
import { database, transaction } from '#platform/database/database.server.ts';
import type { Actor } from '#platform/http/actor.server.ts';
import { log } from '#platform/log.server.ts';
import { emailAddress } from '#platform/mail/email-address.server.ts';
import { sendSoon } from '#platform/mail/mail-queue.server.ts';
import { cleanInput, cleanInputLine, codePointLength } from '#shared/input-text.ts';
import {
  type ContactErrors,
  type ContactMessage,
  contactLimits,
  isContactKind,
  referenceCharacters,
  type TypedMessage,
} from './contact-contract.ts';
import { SEND_CONTACT_MAILS } from './contact-mail-queue.server.ts';
import { limitMessages } from './contact-rate-limits.server.ts';
import { findDuplicate, insertMessage, lockDigest, purgeDone } from './message-store.server.ts';

/** Repeated text of one sender is the same message, for example after a second click or a reload. */
const DUPLICATE_MINUTES = 10;
/** For messages that are done; the privacy page names this period. */
const RETENTION_MONTHS = 24;

export function checkMessage(
  typed: TypedMessage,
): { message: ContactMessage; errors: null } | { message: null; errors: ContactErrors } {
  const name = cleanInputLine(typed.name);
  const message = cleanInput(typed.message);
  const email = emailAddress(typed.email);
  const errors: ContactErrors = {};
  const { kind } = typed;
  const length = codePointLength(message);
  if (codePointLength(name) > contactLimits.name)
    errors.name = m.contact_name_long({ most: contactLimits.name });
  if (email === null)
    errors.email = typed.email.trim() === '' ? m.contact_email_missing() : m.contact_email_invalid();
  if (!isContactKind(kind)) errors.kind = m.contact_kind_missing();
  if (length === 0) errors.message = m.contact_message_missing();
  if (length > contactLimits.message)
    errors.message = m.contact_message_long({ length, most: contactLimits.message });
  if (Object.keys(errors).length > 0 || email === null || !isContactKind(kind))
    return { message: null, errors };
  return { message: { kind, name, email, message }, errors: null };
}

function newReference(): string {
  const fourCharacters = () =>
    Array.from({ length: 4 }, () => referenceCharacters[randomInt(referenceCharacters.length)]).join('');
  return `C-${fourCharacters()}-${fourCharacters()}`;
}

const digestOf = (userId: string | null, { email, name, kind, message }: ContactMessage) =>
  createHash('sha256')
    .update(JSON.stringify([userId, email, name, kind, message]))
    .digest();

/** A repetition within minutes returns the stored message and counts towards no limit. @returns the reference. */
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
    const duplicate = await findDuplicate(tx, digest, DUPLICATE_MINUTES);
    if (duplicate) return duplicate;
    await limitMessages(tx, input.email, clientAddress);
    for (;;) {
      const reference = newReference();
      if (!(await insertMessage(tx, { ...input, reference, userId, digest, language: locale() }))) continue;
      await sendSoon(tx, SEND_CONTACT_MAILS);
      return reference;
    }
  });
}

/** For a filled honeypot: stores nothing, and returns a reference like any other. */
export function discardSpam(requestId: string): string {
  log.info({ requestId }, 'a message with the hidden field filled in was dropped');
  return newReference();
}

export const purgeMessages = (): Promise<number> => purgeDone(database(), RETENTION_MONTHS);
