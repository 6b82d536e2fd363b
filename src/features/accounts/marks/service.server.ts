import { cookieLine, readCookie } from '../cookies/service.server.ts';
import { keyedHash, looksLikeToken, newToken } from '../tokens/service.server.ts';

/** As long as a sign-in may take. */
const MINUTES = 15;

/** What is stored of the mark that a browser holds, or null when it holds none. */
export function browserMark(cookieHeader: string | null | undefined): Buffer | null {
  const mark = readCookie(cookieHeader, 'sign-in');
  return looksLikeToken(mark) ? keyedHash('browser', mark) : null;
}

/**
 * Marks a browser that begins to sign in, so that it is known again when it comes back. One that has a mark keeps it,
 * so that sign-ins in two tabs do not end each other.
 * @returns what is stored of the mark, and the Set-Cookie line.
 */
export function markBrowser(cookieHeader: string | null | undefined): { hash: Buffer; cookie: string } {
  const known = readCookie(cookieHeader, 'sign-in');
  const mark = looksLikeToken(known) ? known : newToken();
  return { hash: keyedHash('browser', mark), cookie: cookieLine('sign-in', mark, MINUTES * 60) };
}
