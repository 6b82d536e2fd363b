import { isPlanDuration, type PlanDuration } from '#features/credits/contract.ts';
import { splitLanguage } from '#shared/language-path.ts';
import { safeRedirectPath } from '#shared/safe-redirect.ts';

/** Pages that belong to signing in, that say what their address says, or that are none. */
const excludedPaths = /^\/(?:api|auth|error|restore|sign-in)(?:\/|$)|\.data$/;

/** A path as the router reads it: decoded once, in any case, with or without a slash at its end. */
function asRouted(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname).toLowerCase().replace(/\/+$/, '');
  } catch {
    return null;
  }
}

function singleParam(query: URLSearchParams, name: string): string | null {
  const values = query.getAll(name);
  return values.length === 1 ? (values[0] ?? null) : null;
}

/** The plan that an address asks to buy: `subscribe=true` with a known `plan`, each there once; else null. */
export function requestedPlan(query: URLSearchParams): PlanDuration | null {
  const plan = singleParam(query, 'plan');
  return singleParam(query, 'subscribe') === 'true' && isPlanDuration(plan) ? plan : null;
}

/**
 * Where a sign-in may lead on: a path of ours, or null to ignore the text. A stranger can choose it for another
 * person, so it is no page that shows words of its address; under /auth it is only the way to a known plan, made anew.
 */
export function safeReturnTo(text: unknown): string | null {
  const path = safeRedirectPath(text);
  if (path === null) return null;
  const { pathname, searchParams } = new URL(path, 'http://own.invalid');
  const page = asRouted(splitLanguage(pathname).path);
  if (page === null) return null;
  if (page !== '/auth/callback') return excludedPaths.test(page) ? null : path;
  const plan = requestedPlan(searchParams);
  return plan && `/auth/callback?subscribe=true&plan=${plan}`;
}
