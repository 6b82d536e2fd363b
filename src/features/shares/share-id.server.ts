import { randomBytes } from 'node:crypto';
import { notFound } from '#platform/http/problem.server.ts';

/** 144 bits: nobody guesses one. */
export const newShareId = () => randomBytes(18).toString('base64url');

/** Whether the database may be asked for it: PostgreSQL takes no text with a NUL. */
export const isShareId = (text: string) => /^[\w-]{24}$/.test(text);

/** As it stands in an address. @throws Problem where it is none. */
export function requireShareId(text: string): string {
  if (!isShareId(text)) throw notFound();
  return text;
}
