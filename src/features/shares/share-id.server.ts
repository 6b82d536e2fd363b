import { randomBytes } from 'node:crypto';
import { notFound } from '#platform/http/problem.server.ts';

/** 144 bits, so that nobody can guess one. */
export const newShareId = () => randomBytes(18).toString('base64url');

/** Check it before a query: PostgreSQL rejects text with a NUL. */
export const isShareId = (text: string) => /^[\w-]{24}$/.test(text);

/** Checks an id from an address. @throws Problem if it is not valid. */
export function requireShareId(text: string): string {
  if (!isShareId(text)) throw notFound();
  return text;
}
