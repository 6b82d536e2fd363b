import { session } from '#client/storage.ts';

interface SentMail {
  email: string;
  /** The path to open after the code is entered; undefined: stay on the page where it is entered. */
  next?: string | undefined;
  /** When it was sent, in milliseconds since 1970. */
  at: number;
}

/** Also listed in app/pages/legal/stored-items.ts. */
const KEY = 'sign-in-mail';
/** How long link and code are valid, as in features/accounts/sign-in. */
const VALID_MS = 15 * 60_000;

/** Fallback for browsers that block storage: lasts until the page is left. */
let lastMail: SentMail | null = null;

export function saveSentMail(mail: Omit<SentMail, 'at'> | null): void {
  lastMail = mail && { ...mail, at: Date.now() };
  if (lastMail) session.setItem(KEY, JSON.stringify(lastMail));
  else session.removeItem(KEY);
}

export function sentMail(): SentMail | null {
  try {
    if (session.works) lastMail = JSON.parse(session.getItem(KEY) ?? 'null');
  } catch {}
  return lastMail && Date.now() - lastMail.at < VALID_MS ? lastMail : null;
}
