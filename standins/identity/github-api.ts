/** The two reads of GitHub's REST API that a sign-in needs: /user and /user/emails. */
import type { ServerResponse } from 'node:http';
import { baseOf, type Call, sendJson } from '../http.ts';
import { opened, type ProviderParts } from './authorize.ts';
import { bearerToken } from './client.ts';
import type { Person } from './users.ts';

const DOCS = 'https://docs.github.com/rest';
const FORBIDDEN =
  'Request forbidden by administrative rules. Please make sure your request has a User-Agent header.\r\n';
/** Either of these opens /user/emails. */
const EMAIL_SCOPES = ['user', 'user:email'];

type Access = NonNullable<ReturnType<ProviderParts['grants']['holder']>>;

function sendMessage(res: ServerResponse, status: number, message: string): void {
  sendJson(res, status, { message, documentation_url: DOCS, status: String(status) });
}

function profileOf(person: Person, base: string): Record<string, unknown> {
  const id = Number(person.subject);
  return {
    login: person.login,
    id,
    node_id: Buffer.from(`04:User${id}`).toString('base64'),
    avatar_url: URL.parse(person.picture, base)?.href,
    gravatar_id: '',
    url: `${base}/github/api/users/${person.login}`,
    html_url: `${base}/github/${person.login}`,
    type: 'User',
    site_admin: false,
    name: person.name || null,
    company: null,
    location: null,
    // Only a verified address can stand in a profile, and only where its owner shows it.
    email: person.verified && !person.hidden ? person.email : null,
    bio: null,
    created_at: '2015-10-21T07:28:00Z',
    updated_at: '2026-01-05T10:00:00Z',
  };
}

/** The address of the person, and behind it the one that GitHub gives to everybody who has one. */
function emailsOf(person: Person): Record<string, unknown>[] {
  if (!person.email) return [];
  const noreply = `${person.subject}+${person.login}@users.noreply.github.com`;
  const shown = person.verified && !person.hidden ? 'public' : 'private';
  return [
    { email: noreply, primary: false, verified: true, visibility: null },
    { email: person.email, primary: true, verified: person.verified, visibility: shown },
  ];
}

/** Runs `answer` for callers with a User-Agent and a token that lives. */
async function forHolder(
  parts: ProviderParts,
  call: Call,
  place: 'user' | 'emails',
  answer: (access: Access) => void,
): Promise<void> {
  const { req, res } = call;
  opened(parts, call, place);
  const interrupted = await parts.faults.interrupted(res, place, (status, code) =>
    sendMessage(res, code ? 403 : status, code ?? 'Server Error'),
  );
  if (interrupted) return;
  if (!req.headers['user-agent']?.trim()) {
    res.writeHead(403, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' });
    res.end(FORBIDDEN);
    return;
  }
  const token = bearerToken(req, ['Bearer', 'token']);
  const access = token === null ? null : parts.grants.holder(token);
  if (access) answer(access);
  else sendMessage(res, 401, token === null ? 'Requires authentication' : 'Bad credentials');
}

function headersFor(access: Access, accepted: string): Record<string, string> {
  return {
    'access-control-allow-origin': '*',
    'cache-control': 'private, max-age=60, s-maxage=60',
    vary: 'Accept, Authorization, Cookie, X-GitHub-OTP',
    'x-accepted-oauth-scopes': accepted,
    'x-oauth-scopes': access.scopes.join(', '),
  };
}

/** Mounts GET /github/api/user and /github/api/user/emails. */
export function mountGitHubApi(parts: ProviderParts): void {
  parts.router.on('GET', '/github/api/user', (call) =>
    forHolder(parts, call, 'user', (access) =>
      sendJson(call.res, 200, profileOf(access.person, baseOf(call.req)), headersFor(access, '')),
    ),
  );
  parts.router.on('GET', '/github/api/user/emails', (call) =>
    forHolder(parts, call, 'emails', (access) => {
      if (!access.scopes.some((scope) => EMAIL_SCOPES.includes(scope)))
        return sendMessage(call.res, 404, 'Not Found');
      sendJson(call.res, 200, emailsOf(access.person), headersFor(access, EMAIL_SCOPES.join(', ')));
    }),
  );
}
