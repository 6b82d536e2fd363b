import type { Context } from 'hono';
import type { UserActor } from './actor.server.ts';
import type { AppEnv } from './app-env.server.ts';
import { signInRequired } from './problem.server.ts';

/** The signed-in person who asks. @throws Problem unauthorized for a guest, in the words of what they asked for. */
export function requireUser(c: Context<AppEnv>, refusal?: string): UserActor {
  if (c.var.actor.kind !== 'user') throw signInRequired(refusal);
  return c.var.actor;
}

/** A part of the path; the empty text where the route has none of that name. */
export const pathParam = (c: Context<AppEnv>, name = 'id'): string => c.req.param(name) ?? '';
