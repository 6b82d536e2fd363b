import { createHash } from 'node:crypto';
import {
  type AuthorizationServer,
  authorizationCodeGrantRequest,
  type Client,
  ClientSecretPost,
  validateAuthResponse,
} from 'oauth4webapi';
import type { OAuthFlow } from './oauth-provider.ts';
import { transport } from './oauth-transport.server.ts';

/** Adds the PKCE challenge (RFC 7636). */
export function authorizeUrl(address: string, verifier: string, parameters: Record<string, string>): string {
  const url = new URL(address);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const query = { ...parameters, code_challenge: challenge, code_challenge_method: 'S256' };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

interface CodeExchange {
  server: AuthorizationServer & { token_endpoint: string };
  client: Client;
  secret: string;
  callback: URLSearchParams;
  flow: OAuthFlow;
  call?: Parameters<typeof transport>[1];
}

/** Sends the callback's code to the token endpoint; the callback must have the flow's state. @returns the response. */
export function exchangeCode({
  server,
  client,
  secret,
  callback,
  flow,
  call,
}: CodeExchange): Promise<Response> {
  return authorizationCodeGrantRequest(
    server,
    client,
    ClientSecretPost(secret),
    validateAuthResponse(server, client, callback, flow.state),
    flow.redirectUri,
    flow.verifier,
    transport(server.token_endpoint, call),
  );
}
