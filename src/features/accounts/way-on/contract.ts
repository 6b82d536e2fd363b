import { ownPath } from '../../../shared/own-path.ts';
import { isPlanDuration, type PlanDuration } from '../../credits/contract.ts';

/** Pages that belong to signing in, that say what their address says, or that are none. */
const closed = /^\/(?:api|auth|error|restore|sign-in)(?:\/|$)|\.data$/;

/** A path as the router reads it: decoded once, in any case, with or without a slash at its end. */
function asRouted(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname).toLowerCase().replace(/\/+$/, '');
  } catch {
    return null;
  }
}

/** The value of a parameter; null where it is missing, or repeated, which nobody of ours writes. */
function onlyOne(query: URLSearchParams, name: string): string | null {
  const values = query.getAll(name);
  return values.length === 1 ? (values[0] ?? null) : null;
}

/** The plan that an address asks to buy: `subscribe=true` with a known `plan`, each there once; else null. */
export function planAskedFor(query: URLSearchParams): PlanDuration | null {
  const plan = onlyOne(query, 'plan');
  return onlyOne(query, 'subscribe') === 'true' && isPlanDuration(plan) ? plan : null;
}

/**
 * Where a sign-in may lead on: a path of ours, or null to ignore the text. A stranger can choose it for another
 * person, so it is no page that shows words of its address; under /auth it is only the way to a known plan, made anew.
 */
export function wayOn(text: unknown): string | null {
  const path = ownPath(text);
  if (path === null) return null;
  const { pathname, searchParams } = new URL(path, 'http://own.invalid');
  const page = asRouted(pathname);
  if (page === null) return null;
  if (page !== '/auth/callback') return closed.test(page) ? null : path;
  const plan = planAskedFor(searchParams);
  return plan && `/auth/callback?subscribe=true&plan=${plan}`;
}
