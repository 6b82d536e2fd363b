import { m } from '#messages';

/** Tries of a mail, over 15 hours; then it is given up, and the operator's list says so. */
export const maxMailAttempts = 8;

export const contactPath = '/contact';

export const contactKinds = {
  question: m.contact_kind_question,
  account: m.contact_kind_account,
  billing: m.contact_kind_billing,
  problem: m.contact_kind_problem,
  content: m.contact_kind_content,
  privacy: m.contact_kind_privacy,
  business: m.contact_kind_business,
} as const;

export type ContactKind = keyof typeof contactKinds;

export const isContactKind = (text: unknown): text is ContactKind =>
  typeof text === 'string' && Object.hasOwn(contactKinds, text);

/** Lengths in code points. */
export const contactLimits = { name: 80, message: 5000 } as const;

/** Units of UTF-16 that fit the form whatever they are: a form of a page has 64 KiB, and one of them takes up to 9 bytes. */
export const MAX_INPUT_LENGTH = 7000;

/** A field that nobody sees: who fills it in is a program. */
export const honeypotField = 'homepage';

/** Seconds in which nobody fills in the form. */
export const MIN_SECONDS = 3;

export interface TypedMessage {
  kind: string;
  name: string;
  email: string;
  message: string;
}

export type ContactField = keyof TypedMessage;

export interface ContactMessage {
  kind: ContactKind;
  name: string;
  email: string;
  message: string;
}

/** What is wrong, by the field that it is said of; `form`: no field of its own. */
export type ContactErrors = Partial<Record<ContactField | 'form', string>>;

/** Letters and digits of a reference: without vowels, and without those that look like another. */
export const referenceCharacters = '234679CDFGHJKMNPQRTVWXY';

const pattern = new RegExp(`^C-?([${referenceCharacters}]{4})-?([${referenceCharacters}]{4})$`);

/** A reference as a person typed it, in its one spelling (C-7F3K-92QD); null for what is none. */
export function readReference(text: string): string | null {
  const parts = pattern.exec(text.replace(/\s+/g, '').toUpperCase().slice(0, 20));
  return parts ? `C-${parts[1]}-${parts[2]}` : null;
}
