import type { Context } from 'hono';
import type { AppEnv } from '../../../platform/http/env.server.ts';
import type { Browser } from './service.server.ts';

/** The browser behind a request of the API. */
export function browserOf(c: Context<AppEnv>): Browser {
  return {
    address: c.var.clientAddress,
    userAgent: c.req.header('user-agent') ?? '',
    cookieHeader: c.req.header('cookie'),
  };
}

/** Adds a Set-Cookie line to the answer. */
export function setCookie(c: Context<AppEnv>, line: string): void {
  c.header('set-cookie', line, { append: true });
}
