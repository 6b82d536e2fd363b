import { signedInAs } from '#features/accounts/service.server.ts';
import { config } from '#platform/config/config.server.ts';
import type { Actor, UserActor } from '#platform/http/actor.server.ts';

/** Of a session: what is older is asked to sign in anew. */
export const freshMinutes = { read: 60, act: 15 } as const;

export interface Operator {
  actor: UserActor;
  email: string;
  /** Since the session was begun. */
  minutes: number;
}

/** Null for everybody whom ADMIN_EMAILS does not name. */
export async function operatorOf(actor: Actor): Promise<Operator | null> {
  const addresses = config().ADMIN_EMAILS;
  if (actor.kind !== 'user' || addresses.length === 0) return null;
  const holder = await signedInAs({ actor });
  return holder && addresses.includes(holder.email) ? { actor, ...holder } : null;
}
