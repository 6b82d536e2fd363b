import { cookieLine, readCookie } from '../cookies.server.ts';
import { keyedHash, looksLikeToken, newToken, sameHash } from '../tokens.server.ts';

const MINUTES = 15;

export function loginBindingHash(cookieHeader: string | null | undefined): Buffer | null {
  const token = readCookie(cookieHeader, 'sign-in');
  return looksLikeToken(token) ? keyedHash('browser', token) : null;
}

/** Keeps the token of a browser that has one, so that sign-ins in two tabs do not invalidate each other. */
export function bindLogin(cookieHeader: string | null | undefined): { hash: Buffer; cookie: string } {
  const known = readCookie(cookieHeader, 'sign-in');
  const token = looksLikeToken(known) ? known : newToken();
  return { hash: keyedHash('browser', token), cookie: cookieLine('sign-in', token, MINUTES * 60) };
}

const DEVICE_DAYS = 180;

const deviceHash = (email: string) => keyedHash('device', email);

export function deviceCookie(email: string): string {
  return cookieLine('device', deviceHash(email).toString('base64url'), DEVICE_DAYS * 24 * 3600);
}

export function isDeviceOf(cookieHeader: string | null | undefined, email: string): boolean {
  const hash = readCookie(cookieHeader, 'device');
  return looksLikeToken(hash) && sameHash(Buffer.from(hash, 'base64url'), deviceHash(email));
}
