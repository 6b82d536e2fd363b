import { config } from '../../../platform/config/config.server.ts';

/** Under https the name carries the prefix that keeps other hosts and plain http from setting it (RFC 6265bis). */
export function cookieName(base: 'session' | 'sign-in'): string {
  return config().secure ? `__Host-${base}` : base;
}

/** The value of one cookie of a Cookie header, or null. */
export function readCookie(header: string | null | undefined, base: 'session' | 'sign-in'): string | null {
  const name = cookieName(base);
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return null;
}

/** A Set-Cookie line for the whole site, hidden from scripts; 0 seconds removes the cookie. */
export function cookieLine(base: 'session' | 'sign-in', value: string, seconds: number): string {
  const secure = config().secure ? '; Secure' : '';
  return `${cookieName(base)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}
