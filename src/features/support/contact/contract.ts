import { site } from '../../../../content/site.ts';

/** Tries of a mail, over 15 hours; then it is given up, and the operator's list says so. */
export const mailTries = 8;

/** Path of the page and of its form. */
export const contactPath = '/contact';

/** What a message is about, as it is stored, and in words. */
export const contactKinds = {
  question: 'A question',
  account: 'My account or signing in',
  billing: 'Payments and plans',
  problem: 'Something does not work',
  content: 'Content that should not be here',
  privacy: 'My data and privacy',
  business: 'Press and business',
} as const;

export type ContactKind = keyof typeof contactKinds;

/** Whether a text names a kind of message. */
export const isContactKind = (text: unknown): text is ContactKind =>
  typeof text === 'string' && Object.hasOwn(contactKinds, text);

/** Lengths in code points. */
export const contactLimits = { name: 80, message: 5000 } as const;

/** Units of UTF-16 that fit the form whatever they are: a form of a page has 64 KiB, and one of them takes up to 9 bytes. */
export const MOST_TYPED = 7000;

/** A field that nobody sees: who fills it in is a program. */
export const trapField = 'homepage';

/** Seconds in which nobody fills in the form. */
export const LEAST_SECONDS = 3;

/** The form as it was typed. */
export interface TypedMessage {
  kind: string;
  name: string;
  email: string;
  message: string;
}

export type ContactField = keyof TypedMessage;

/** A message that can be stored. */
export interface ContactMessage {
  kind: ContactKind;
  /** May be empty. */
  name: string;
  /** As `emailAddress` returns it. */
  email: string;
  message: string;
}

/** What is wrong, by the field that it is said of; `form`: no field of its own. */
export type ContactErrors = Partial<Record<ContactField | 'form', string>>;

const figure = new Intl.NumberFormat('en-US');

const most = figure.format(contactLimits.message);

export const contactTexts = {
  name: `Please use a name of at most ${contactLimits.name} characters.`,
  emailMissing: 'Please enter your email address, so that we can answer.',
  email: 'Please enter a valid email address, like name@example.com.',
  kind: 'Please choose what it is about.',
  messageMissing: 'Please write your message.',
  messageLong: (length: number) =>
    `Your message has ${figure.format(length)} characters, and ${most} fit. Please shorten it, or send it in two.`,
  quick: 'That was very quick. Please look over your message and press the button once more.',
  most,
  /** Below the text, before and after something is typed. */
  size: (length: number) => `${length > 0 ? `${figure.format(length)} of` : 'Up to'} ${most} characters`,
} as const;

/** What else helps where too many messages came. */
export const orByMail = `You can also write to ${site.supportEmail}.`;

/** Letters and digits of a reference: without vowels, and without those that look like another. */
export const referenceSigns = '234679CDFGHJKMNPQRTVWXY';

const pattern = new RegExp(`^C-?([${referenceSigns}]{4})-?([${referenceSigns}]{4})$`);

/** A reference as a person typed it, in its one spelling (C-7F3K-92QD); null for what is none. */
export function readReference(text: string): string | null {
  const parts = pattern.exec(text.replace(/\s+/g, '').toUpperCase().slice(0, 20));
  return parts ? `C-${parts[1]}-${parts[2]}` : null;
}
