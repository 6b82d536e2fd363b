import { m } from '#messages';

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

/** In code points. */
export const contactLimits = { name: 80, message: 5000 } as const;

/** In UTF-16 units. Any text of this length fits: a page's form may have 64 KiB, and a unit takes up to 9 bytes. */
export const MAX_INPUT_LENGTH = 7000;

export const honeypotField = 'homepage';

/** A form that is sent sooner was filled in by a bot. */
export const MIN_SECONDS = 3;

export interface TypedMessage {
  kind: string;
  name: string;
  email: string;
  message: string;
}

export type ContactField = keyof TypedMessage;

export interface ContactMessage extends TypedMessage {
  kind: ContactKind;
}

/** `form`: an error of no single field. */
export type ContactErrors = Partial<Record<ContactField | 'form', string>>;

/** No vowels, and no characters that look alike. */
export const referenceCharacters = '234679CDFGHJKMNPQRTVWXY';

const pattern = new RegExp(`^C-?([${referenceCharacters}]{4})-?([${referenceCharacters}]{4})$`);

/** Accepts what people type: 'c 7f3k 92qd' is C-7F3K-92QD. */
export function readReference(text: string): string | null {
  const parts = pattern.exec(text.replace(/\s+/g, '').toUpperCase().slice(0, 20));
  return parts ? `C-${parts[1]}-${parts[2]}` : null;
}
