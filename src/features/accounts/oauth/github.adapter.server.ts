import { type Client, processAuthorizationCodeResponse, protectedResourceRequest } from 'oauth4webapi';
import { z } from 'zod';
import { config } from '#platform/config/config.server.ts';
import { emailAddress } from '#platform/mail/email-address.server.ts';
import { authorizeUrl, exchangeCode } from './authorization-code.server.ts';
import {
  type OAuthFlow,
  type OAuthProvider,
  OAuthProviderError,
  type ProviderProfile,
} from './oauth-provider.ts';
import { callProvider, transport } from './oauth-transport.server.ts';

const user = z.object({ id: z.int().positive(), login: z.string(), name: z.string().nullish() });
const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** GitHub's `iss` (RFC 9207), since 2026: the authorize URL without its last segment. */
const server = () => ({
  issuer: config().GITHUB_AUTHORIZE_URL.replace(/\/authorize\/?$/, ''),
  token_endpoint: config().GITHUB_TOKEN_URL,
});

/** Corrects the status: GitHub reports errors of its token endpoint with 200; RFC 6749 5.2 requires 400. */
const callTokenEndpoint: typeof callProvider = async (url, options) => {
  const answer = await callProvider(url, options);
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => null);
  const failed = answer.status === 200 && typeof body === 'object' && body !== null && 'error' in body;
  return failed ? new Response(answer.body, { status: 400, headers: answer.headers }) : answer;
};

async function accessToken(callback: URLSearchParams, flow: OAuthFlow): Promise<string> {
  const { GITHUB_CLIENT_ID = '', GITHUB_CLIENT_SECRET: secret = '' } = config();
  const client: Client = { client_id: GITHUB_CLIENT_ID };
  const call = callTokenEndpoint;
  const response = await exchangeCode({ server: server(), client, secret, callback, flow, call });
  return (await processAuthorizationCodeResponse(server(), client, response)).access_token;
}

/** GitHub rejects requests without User-Agent. */
function requestGitHub(path: string, token: string): Promise<Response> {
  const url = `${config().GITHUB_API_URL.replace(/\/+$/, '')}${path}`;
  const headers = new Headers({
    accept: 'application/vnd.github+json',
    'user-agent': 'site-sign-in',
    'x-github-api-version': '2022-11-28',
  });
  return protectedResourceRequest(token, 'GET', new URL(url), headers, null, transport(url));
}

async function readProfile(token: string): Promise<ProviderProfile> {
  const [userResponse, emailsResponse] = [
    await requestGitHub('/user', token),
    await requestGitHub('/user/emails', token),
  ];
  if (userResponse.status !== 200)
    throw new OAuthProviderError('untrusted', `/user answered ${userResponse.status}`);
  // 403 and 404 mean that the user did not grant the scope.
  if (emailsResponse.status !== 200)
    throw new OAuthProviderError(
      emailsResponse.status === 403 || emailsResponse.status === 404 ? 'no_email' : 'untrusted',
      `/user/emails answered ${emailsResponse.status}`,
    );
  const { id, login, name } = user.parse(await userResponse.json());
  const verified = emails.parse(await emailsResponse.json()).find((one) => one.primary && one.verified);
  const email = emailAddress(verified?.email);
  if (email === null) throw new OAuthProviderError('no_email', 'There is no verified primary address');
  return { subject: String(id), email, name: name || login };
}

/** docs.github.com/apps/oauth-apps/building-oauth-apps */
export const github: OAuthProvider = {
  configured: () => Boolean(config().GITHUB_CLIENT_ID && config().GITHUB_CLIENT_SECRET),
  endpoints: () => [config().GITHUB_TOKEN_URL, config().GITHUB_API_URL],
  authorizeUrl({ state, verifier, redirectUri }) {
    const { GITHUB_AUTHORIZE_URL, GITHUB_CLIENT_ID = '' } = config();
    return authorizeUrl(GITHUB_AUTHORIZE_URL, verifier, {
      client_id: GITHUB_CLIENT_ID,
      redirect_uri: redirectUri,
      scope: 'read:user user:email',
      state,
    });
  },
  async profile(callback, flow) {
    return readProfile(await accessToken(callback, flow));
  },
};
