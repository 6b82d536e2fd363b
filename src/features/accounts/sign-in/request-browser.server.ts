import type { Context } from 'hono';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import type { Browser } from './complete-sign-in.server.ts';

export function browserOf(c: Context<AppEnv>): Browser {
  return {
    address: c.var.clientAddress,
    userAgent: c.req.header('user-agent') ?? '',
    cookieHeader: c.req.header('cookie'),
  };
}

export function setCookie(c: Context<AppEnv>, line: string): void {
  c.header('set-cookie', line, { append: true });
}
