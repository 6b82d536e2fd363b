import { signedInAs } from '#features/accounts/service.server.ts';
import { config } from '#platform/config/config.server.ts';
import type { Actor, UserActor } from '#platform/http/actor.server.ts';

/** Maximum age of a session in minutes; operators with an older one must sign in again. */
export const maxSessionMinutes = { read: 60, act: 15 } as const;

export interface Operator {
  actor: UserActor;
  email: string;
  /** Age of the session in minutes. */
  minutes: number;
}

/** Returns null for users whose address is not in ADMIN_EMAILS. */
export async function findOperator(actor: Actor): Promise<Operator | null> {
  const addresses = config().ADMIN_EMAILS;
  if (actor.kind !== 'user' || addresses.length === 0) return null;
  const session = await signedInAs({ actor });
  return session && addresses.includes(session.email) ? { actor, ...session } : null;
}
