/** How a client proves itself at the token endpoint: client_secret_post or client_secret_basic (RFC 6749 2.3.1). */
import type { IncomingMessage } from 'node:http';
import type { Params } from './request.ts';

/** The one secret that is good, with any client id. */
const SECRET = 'stand-in';

export type ClientProof =
  | { id: string }
  | { refused: 'no_id' | 'no_secret' | 'wrong' | 'two_ways'; basic: boolean };

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    return text;
  }
}

function basicPair(req: IncomingMessage): [string, string] | null {
  const encoded = /^Basic\s+([\w+/=-]+)$/i.exec(req.headers.authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return [formDecoded(id), formDecoded(secret.join(':'))];
}

/** The client of a token request, or why it is none. Both ways at once are refused (RFC 6749 2.3). */
export function provenClient(req: IncomingMessage, params: Params): ClientProof {
  const pair = basicPair(req);
  const basic = pair !== null;
  const posted = params.get('client_id');
  if (basic && (params.has('client_secret') || (posted !== undefined && posted !== pair[0])))
    return { refused: 'two_ways', basic };
  const [id, secret] = pair ?? [posted, params.get('client_secret')];
  if (!id) return { refused: 'no_id', basic };
  if (!secret) return { refused: 'no_secret', basic };
  return secret === SECRET ? { id } : { refused: 'wrong', basic };
}

/** The token of an Authorization header with one of these schemes, or null. */
export function bearerToken(req: IncomingMessage, schemes = ['Bearer']): string | null {
  const [scheme = '', token] = (req.headers.authorization ?? '').split(/\s+/);
  const known = schemes.some((name) => name.toLowerCase() === scheme.toLowerCase());
  return known && token ? token : null;
}
