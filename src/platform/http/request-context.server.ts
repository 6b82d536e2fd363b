import type { Context } from 'hono';
import type { UserActor } from './actor.server.ts';
import type { AppEnv } from './app-env.server.ts';
import { signInRequired } from './problem.server.ts';

export function requireUser(c: Context<AppEnv>, refusal?: string): UserActor {
  if (c.var.actor.kind !== 'user') throw signInRequired(refusal);
  return c.var.actor;
}

export const pathParam = (c: Context<AppEnv>, name = 'id'): string => c.req.param(name) ?? '';
