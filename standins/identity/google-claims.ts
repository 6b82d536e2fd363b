/** Google's scopes, and what each of them opens about a person. */
import type { Person } from './users.ts';

const EMAIL = 'https://www.googleapis.com/auth/userinfo.email';
const PROFILE = 'https://www.googleapis.com/auth/userinfo.profile';

/** Scopes that may be asked for. Short names stand for long ones, and Google answers with the long ones. */
const LONG_NAMES = new Map([
  ['openid', 'openid'],
  ['email', EMAIL],
  ['profile', PROFILE],
  [EMAIL, EMAIL],
  [PROFILE, PROFILE],
]);

/** True for a scope that is known. */
export function isScope(scope: string): boolean {
  return LONG_NAMES.has(scope);
}

/** Scopes as Google grants them: by their long names, each once. */
export function grantedScopes(scopes: string[]): string[] {
  return [...new Set(scopes.map((scope) => LONG_NAMES.get(scope) ?? scope))];
}

/** The claims about a person that these granted scopes open; pictures of this server get `base` in front. */
export function claimsOf(person: Person, scopes: string[], base: string): Record<string, unknown> {
  const [given, ...family] = person.name.split(' ');
  const profile = {
    name: person.name,
    picture: URL.parse(person.picture, base)?.href,
    given_name: given,
    ...(family.length > 0 ? { family_name: family.join(' ') } : {}),
  };
  return {
    sub: person.subject,
    ...(scopes.includes(PROFILE) ? profile : {}),
    ...(scopes.includes(EMAIL) && person.email
      ? { email: person.email, email_verified: person.verified }
      : {}),
  };
}
