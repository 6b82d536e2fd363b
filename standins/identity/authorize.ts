/** The authorization endpoint: GET asks who signs in, POST takes the choice and redirects. */
import { baseOf, type Call, type Handler, type Router, readOwnForm, seeOther } from '../http.ts';
import { sendPage } from '../page.ts';
import type { LogEntry, RequestLog } from '../request-log.ts';
import { type AuthorizeRequest, type Params, Refusal, readParams, withQuery } from './authorize-request.ts';
import type { Failure, Faults, Place } from './faults.ts';
import type { Grants } from './grants.ts';
import { choicePage, errorPage, type Provider } from './pages.ts';
import { chosenPerson } from './users.ts';

/** Parameters whose values are logged; of others only the name is. */
const LOGGED = new Set([
  ...['access_type', 'client_id', 'code_challenge_method', 'email', 'grant_type', 'login', 'login_hint'],
  ...['name', 'prompt', 'redirect_uri', 'response_type', 'scope', 'subject', 'user', 'verified'],
]);

export interface ProviderParts {
  provider: Provider;
  log: RequestLog;
  router: Router;
  faults: Faults;
  grants: Grants;
}

export interface AuthorizeRules {
  carried: readonly string[];
  read(params: Params): AuthorizeRequest;
  newCode(): string;
  granted(scopes: string[]): string[];
  extras(base: string, request: AuthorizeRequest, error: string | null): Record<string, string>;
}

/** Logs a request without codes, secrets, tokens, state or PKCE values. */
export function openEntry(
  { log, faults, provider }: ProviderParts,
  { req, res, url }: Call,
  place: Place | null,
  params: Iterable<[string, string]> = [],
) {
  const logged = [...params].map(([name, value]) => [name, LOGGED.has(name) ? value : '[redacted]']);
  return log.open(req, res, url.pathname, {
    mode: place && faults.at(place),
    detail: { kind: `${provider.name} ${place ?? 'read'}`, params: Object.fromEntries(logged) },
  });
}

export function mountAuthorize(parts: ProviderParts, rules: AuthorizeRules): void {
  const { provider, faults, grants, router } = parts;

  const sendBack = (
    call: Call,
    entry: LogEntry,
    request: AuthorizeRequest,
    result: { code?: string; error?: string },
  ) => {
    entry.view.detail.outcome = result.error ?? 'granted';
    const state = faults.is('stateTampered') ? `${request.state}x` : request.state;
    const extras = rules.extras(baseOf(call.req), request, result.error ?? null);
    const query = { ...result, ...extras, ...(request.state === null ? {} : { state: state! }) };
    seeOther(call.res, withQuery(request.redirectUri, query));
  };

  const answer = async (call: Call, entry: LogEntry, search: URLSearchParams): Promise<void> => {
    const { req, res } = call;
    const params = readParams(search);
    const request = rules.read(params);
    const fail: Failure = (status, code) => {
      if (code) sendBack(call, entry, request, { error: code });
      else sendPage(res, errorPage(provider, status, 'server_error', 'That is an error of the provider.'));
    };
    if (await faults.interrupted(res, 'authorize', fail)) return;
    // Nobody is signed in before the page has asked (OIDC 3.1.2.6).
    if (request.prompts.includes('none')) return sendBack(call, entry, request, { error: 'login_required' });
    if (req.method !== 'POST') {
      const fields = new Map([...params].filter(([name]) => rules.carried.includes(name)));
      return sendPage(res, choicePage(provider, request, fields));
    }
    if (params.get('user') === 'deny') return sendBack(call, entry, request, { error: 'access_denied' });
    const person = chosenPerson(provider.name, params);
    const code = rules.newCode();
    grants.issue(code, { request, person, scopes: rules.granted(request.scopes) });
    sendBack(call, entry, request, { code });
  };

  const handle: Handler = async (call) => {
    const { req, res, url } = call;
    const search = req.method === 'POST' ? await readOwnForm(req) : url.searchParams;
    const entry = openEntry(parts, call, 'authorize', search);
    try {
      await answer(call, entry, search);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      entry.view.detail.outcome = error.kind;
      sendPage(res, errorPage(provider, 400, error.kind, error.message));
    }
  };
  router.on('GET', provider.path, handle);
  router.on('POST', provider.path, handle);
}
