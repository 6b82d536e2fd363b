import { cookieLine, readCookie } from '../cookies.server.ts';
import { keyedHash, looksLikeToken, newToken, sameHash } from '../tokens.server.ts';

const MINUTES = 15;

export function loginBindingHash(cookieHeader: string | null | undefined): Buffer | null {
  const mark = readCookie(cookieHeader, 'sign-in');
  return looksLikeToken(mark) ? keyedHash('browser', mark) : null;
}

/** Keeps the mark of a browser that has one, so that sign-ins in two tabs do not invalidate each other. */
export function bindLogin(cookieHeader: string | null | undefined): { hash: Buffer; cookie: string } {
  const known = readCookie(cookieHeader, 'sign-in');
  const mark = looksLikeToken(known) ? known : newToken();
  return { hash: keyedHash('browser', mark), cookie: cookieLine('sign-in', mark, MINUTES * 60) };
}

const DEVICE_DAYS = 180;

const deviceMark = (email: string) => keyedHash('device', email);

export function deviceCookie(email: string): string {
  return cookieLine('device', deviceMark(email).toString('base64url'), DEVICE_DAYS * 24 * 3600);
}

export function isDeviceOf(cookieHeader: string | null | undefined, email: string): boolean {
  const mark = readCookie(cookieHeader, 'device');
  return looksLikeToken(mark) && sameHash(Buffer.from(mark, 'base64url'), deviceMark(email));
}
