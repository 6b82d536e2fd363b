/**
 * The identity stand-in: Google (OpenID Connect) under /google and GitHub (an OAuth app) under /github, as far as a
 * sign-in needs them (protocols.md 3; RFC 6749, 7636, 9207; OIDC Core).
 *
 * A page asks who signs in; a script sends the same form to the same URL: the parameters of the request and `user`,
 * which is ada, grace, unverified, nomail, mallory (users.ts), deny, or other with email, verified, name, subject.
 *
 * Switches, POST /control {"google": {...}} and {"github": {...}}:
 *   fault  none, or one of the lists below
 *   at     where a fault of the first list happens: token (the default), authorize, user,
 *          jwks (Google), emails (GitHub)
 *   Anywhere: status500, status503, html (200 and a page), slow (held until {"release": true}, or a part of
 *     "google token"), error:CODE (that error in the form of this endpoint: authorize redirects with it).
 *   In the redirect back: stateTampered; Google only: wrongResponseIss.
 *   In the id_token, Google only: wrongAud, expired, wrongNonce, algNone, unknownKid, badSignature, wrongIss,
 *     noIdToken.
 *   {"rotateGoogleKeys": true}: a new key signs, the previous one stays published; "drop": only the new one is
 *     published.
 *
 * Limits of fidelity: any client id is accepted, and every loopback URL is a registered redirect_uri; the secret is
 * "stand-in". There is no sign-in session, so every request asks, and prompt=none always ends in login_required.
 * Google: state and PKCE are required, which Google only recommends; a refresh token is issued where Google would, but
 * no grant redeems it; no hd, no revocation, userinfo by GET only. GitHub: redirect_uri is required; no XML, no device
 * flow, no rate limits; an account without a verified address gets its token, where GitHub may answer
 * unverified_user_email (a fault does). A restart ends codes and tokens, but not keys. Pictures are simple.
 */
import { HttpError, type Router, send } from '../http.ts';
import { html } from '../page.ts';
import type { RequestLog } from '../request-log.ts';
import type { StandIn, StandInParts } from '../standin.ts';
import type { ProviderParts } from './authorize.ts';
import { Faults, faultSwitches } from './faults.ts';
import { mountGitHub } from './github.ts';
import { mountGoogle } from './google.ts';
import { Grants } from './grants.ts';
import type { Provider } from './pages.ts';
import { SigningKeys } from './signing-keys.ts';

const GOOGLE: Provider = { name: 'google', title: 'Google', path: '/google/authorize' };
const GITHUB: Provider = { name: 'github', title: 'GitHub', path: '/github/login/oauth/authorize' };

/** Serves pictures from this server, so that the request log shows when one is fetched. */
function mountPictures(router: Router, log: RequestLog): void {
  router.on('GET', '/identity/pictures/:file', ({ req, res, url, params }) => {
    const name = /^([a-z]{1,20})\.svg$/.exec(params.file ?? '')?.[1];
    if (!name) throw new HttpError(404, 'not_found', 'There is no such picture.');
    log.open(req, res, url.pathname, { detail: { kind: 'identity picture' } });
    const picture = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="#dce35b"/>
<text x="48" y="64" font-family="sans-serif" font-size="48" text-anchor="middle">${name.slice(0, 1).toUpperCase()}</text></svg>`;
    send(res, 200, 'image/svg+xml', String(picture), {
      'cache-control': 'private, max-age=3600',
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'`,
      'x-content-type-options': 'nosniff',
    });
  });
}

export function identityStandIn(parts: StandInParts): StandIn {
  const { router, control, log, held, settings } = parts;
  const now = () => Date.now() + control.offsetMs;
  const partsOf = (provider: Provider): ProviderParts => {
    const switches = control.section(provider.name, faultSwitches(provider.name));
    const faults = new Faults(provider.name, switches, held);
    return { provider, log, router, faults, grants: new Grants(now) };
  };
  const keys = new SigningKeys(settings.dir);
  mountGoogle(partsOf(GOOGLE), keys, now);
  mountGitHub(partsOf(GITHUB));
  mountPictures(router, log);
  control.action('rotateGoogleKeys', (value) => {
    if (value !== true && value !== 'drop')
      throw new HttpError(400, 'bad_switch', 'rotateGoogleKeys must be true or "drop".');
    return { kids: keys.rotate(value === true) };
  });
  return {
    name: 'Sign-in',
    about: 'Google under /google and GitHub under /github, with test users, or any address that you type.',
    links: [
      { href: '/google/.well-known/openid-configuration', text: 'Discovery' },
      { href: '/google/jwks', text: 'Keys' },
    ],
  };
}
