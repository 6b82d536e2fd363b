import { config } from '#platform/config/config.server.ts';

type CookieBase = 'session' | 'sign-in' | 'device' | 'restore';

/** Under https, the prefix keeps other hosts and plain http from setting the cookie (RFC 6265bis). */
function cookieName(base: CookieBase): string {
  return config().secure ? `__Host-${base}` : base;
}

export function readCookie(header: string | null | undefined, base: CookieBase): string | null {
  const name = cookieName(base);
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return null;
}

/** 0 seconds removes the cookie. */
export function cookieLine(base: CookieBase, value: string, seconds: number): string {
  const secure = config().secure ? '; Secure' : '';
  return `${cookieName(base)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}
