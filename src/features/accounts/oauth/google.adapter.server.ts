import {
  type Client,
  clockSkew,
  getValidatedIdTokenClaims,
  type IDToken,
  type JWKSCacheInput,
  jwksCache,
  KEY_SELECTION,
  processAuthorizationCodeResponse,
  validateApplicationLevelSignature,
} from 'oauth4webapi';
import { config } from '#platform/config/config.server.ts';
import { emailAddress } from '#platform/mail/email-address.server.ts';
import { authorizeUrl, exchangeCode } from './authorization-code.server.ts';
import {
  type OAuthFlow,
  type OAuthProvider,
  OAuthProviderError,
  type ProviderProfile,
} from './oauth-provider.ts';
import { transport } from './oauth-transport.server.ts';

/** The library considers them fresh for 5 minutes. */
let keys: JWKSCacheInput = {};

const server = () => ({
  issuer: config().GOOGLE_ISSUER,
  token_endpoint: config().GOOGLE_TOKEN_URL,
  jwks_uri: config().GOOGLE_JWKS_URL,
});

/** A configured URL may lack TLS, so the signature must be checked too (OIDC Core 3.1.3.7). */
async function checkSignature(response: Response): Promise<void> {
  const check = () =>
    validateApplicationLevelSignature(server(), response, {
      ...transport(config().GOOGLE_JWKS_URL),
      [jwksCache]: keys,
    });
  try {
    await check();
  } catch (error) {
    if ((error as { code?: unknown }).code !== KEY_SELECTION) throw error;
    // The issuer may have just rotated its keys.
    keys = {};
    await check();
  }
}

async function idToken(callback: URLSearchParams, flow: OAuthFlow, now: number): Promise<IDToken> {
  const { GOOGLE_CLIENT_ID = '', GOOGLE_CLIENT_SECRET: secret = '' } = config();
  const client: Client = {
    client_id: GOOGLE_CLIENT_ID,
    id_token_signed_response_alg: 'RS256',
    [clockSkew]: Math.round(now - Date.now() / 1000),
  };
  const response = await exchangeCode({ server: server(), client, secret, callback, flow });
  const checks = { expectedNonce: flow.nonce, requireIdToken: true };
  const tokens = await processAuthorizationCodeResponse(server(), client, response, checks);
  await checkSignature(response);
  const claims = getValidatedIdTokenClaims(tokens);
  if (!claims) throw new OAuthProviderError('untrusted', 'There is no id_token');
  return claims;
}

function readProfile(claims: IDToken): ProviderProfile {
  if (claims.sub === '' || claims.sub.length > 255)
    throw new OAuthProviderError('untrusted', 'The subject has no plausible length');
  const email = claims.email_verified === true ? emailAddress(claims.email) : null;
  if (email === null) throw new OAuthProviderError('no_email', 'There is no verified address');
  return { subject: claims.sub, email, name: typeof claims.name === 'string' ? claims.name : null };
}

/** developers.google.com/identity/openid-connect */
export const google: OAuthProvider = {
  configured: () => Boolean(config().GOOGLE_CLIENT_ID && config().GOOGLE_CLIENT_SECRET),
  endpoints: () => [config().GOOGLE_TOKEN_URL, config().GOOGLE_JWKS_URL],
  authorizeUrl({ state, verifier, nonce, redirectUri }) {
    const { GOOGLE_AUTHORIZE_URL, GOOGLE_CLIENT_ID = '', GOOGLE_OFFLINE } = config();
    return authorizeUrl(GOOGLE_AUTHORIZE_URL, verifier, {
      client_id: GOOGLE_CLIENT_ID,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid email profile',
      state,
      nonce,
      ...(GOOGLE_OFFLINE ? { access_type: 'offline', prompt: 'consent' } : {}),
    });
  },
  async profile(callback, flow, now) {
    return readProfile(await idToken(callback, flow, now));
  },
};
