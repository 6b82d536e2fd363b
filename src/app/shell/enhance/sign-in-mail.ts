import { session } from '#client/storage.ts';

interface SentMail {
  email: string;
  /** Where its code leads on; undefined: where it is typed. */
  next?: string | undefined;
  /** Milliseconds since 1970. */
  at: number;
}

/** The key stands in app/pages/legal/stored-items.ts. */
const KEY = 'sign-in-mail';
/** Link and code work this long, in milliseconds, as accounts/sign-in says. */
const VALID_MS = 15 * 60_000;

/** Where nothing can be stored it is known until the page is left. */
let last: SentMail | null = null;

export function saveSentMail(mail: Omit<SentMail, 'at'> | null): void {
  last = mail && { ...mail, at: Date.now() };
  if (last) session.setItem(KEY, JSON.stringify(last));
  else session.removeItem(KEY);
}

export function sentMail(): SentMail | null {
  try {
    if (session.works) last = JSON.parse(session.getItem(KEY) ?? 'null');
  } catch {}
  return last && Date.now() - last.at < VALID_MS ? last : null;
}
