import { isPlanDuration, type PlanDuration } from '#features/credits/contract.ts';
import { splitLanguage } from '#shared/language-path.ts';
import { safeRedirectPath } from '#shared/safe-redirect.ts';

/** Sign-in pages, pages that show text from their address, and addresses that are not pages. */
const excludedPaths = /^\/(?:api|auth|error|restore|sign-in)(?:\/|$)|\.data$/;

/** Normalizes like the router: decoded once, without case and trailing slashes; null if it cannot be decoded. */
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

/** A parameter counts only if it occurs exactly once. */
export function requestedPlan(query: URLSearchParams): PlanDuration | null {
  const plan = singleParam(query, 'plan');
  return singleParam(query, 'subscribe') === 'true' && isPlanDuration(plan) ? plan : null;
}

/**
 * Returns the page to open after a sign-in, or null. A stranger can choose it for a victim, so pages that show text
 * from their address are excluded; under /auth only a rebuilt address with a known plan is allowed.
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
