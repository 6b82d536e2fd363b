import { isPlanDuration, type PlanDuration } from '#features/credits/contract.ts';
import { splitLanguage } from '#shared/language-path.ts';
import { safeRedirectPath } from '#shared/safe-redirect.ts';

/** Pages of signing in, pages that show words of their address, and what is no page. */
const excludedPaths = /^\/(?:api|auth|error|restore|sign-in)(?:\/|$)|\.data$/;

/** As the router reads it: decoded once, in any case, with or without a slash at its end. */
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

/** Each parameter counts only where it is there once. */
export function requestedPlan(query: URLSearchParams): PlanDuration | null {
  const plan = singleParam(query, 'plan');
  return singleParam(query, 'subscribe') === 'true' && isPlanDuration(plan) ? plan : null;
}

/**
 * Where a sign-in may lead. A stranger can choose it for another person, so it is no page that shows words of its
 * address; under /auth only the way to a known plan, made anew.
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
