/** The authorization endpoint of both providers: GET asks who signs in, POST takes the choice and redirects. */
import { baseOf, type Call, onOwnPage, type Router, readForm } from '../http.ts';
import type { LogEntry, RequestLog } from '../log.ts';
import { sendPage } from '../page.ts';
import type { Failure, Faults, Place } from './faults.ts';
import type { Grants } from './grants.ts';
import { choicePage, errorPage, type Face } from './pages.ts';
import { type AuthorizeRequest, type Params, Refusal, readParams, withQuery } from './request.ts';
import { chosenPerson } from './users.ts';

/** Parameters that the log shows; of any other one it only says that it was there. */
const SHOWN = new Set([
  ...['access_type', 'client_id', 'code_challenge_method', 'email', 'grant_type', 'login', 'login_hint'],
  ...['name', 'prompt', 'redirect_uri', 'response_type', 'scope', 'subject', 'user', 'verified'],
]);

export interface ProviderParts {
  face: Face;
  log: RequestLog;
  router: Router;
  faults: Faults;
  grants: Grants;
}

export interface AuthorizeRules {
  /** Names of the parameters that the page carries from GET to POST. */
  carried: readonly string[];
  /** Throws Refusal for a request that gets an error page. */
  read(params: Params): AuthorizeRequest;
  newCode(): string;
  /** Scopes as the provider grants them. */
  granted(scopes: string[]): string[];
  /** More parameters beside `code` (granted) or `error` (not granted). */
  extras(base: string, request: AuthorizeRequest, error: string | null): Record<string, string>;
}

/** Opens the log's entry of a request. Codes, secrets, tokens, state and PKCE values never get into it. */
export function opened(
  parts: ProviderParts,
  call: Call,
  place: Place | null,
  params?: Iterable<[string, string]>,
) {
  const shown = [...(params ?? [])].map(([name, value]) => [name, SHOWN.has(name) ? value : '[redacted]']);
  return parts.log.open(call.req, call.res, call.url.pathname, {
    mode: place && parts.faults.at(place),
    detail: { kind: `${parts.face.provider} ${place ?? 'read'}`, params: Object.fromEntries(shown) },
  });
}

function redirect(call: Call, request: AuthorizeRequest, answer: Record<string, string>): void {
  call.res.writeHead(303, {
    location: withQuery(request.redirectUri, answer),
    'content-length': 0,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
  call.res.end();
}

class Authorization {
  readonly #parts: ProviderParts;
  readonly #rules: AuthorizeRules;

  constructor(parts: ProviderParts, rules: AuthorizeRules) {
    this.#parts = parts;
    this.#rules = rules;
  }

  #state(request: AuthorizeRequest): Record<string, string> {
    if (request.state === null) return {};
    return { state: this.#parts.faults.is('stateTampered') ? `${request.state}x` : request.state };
  }

  #refuse(call: Call, request: AuthorizeRequest, entry: LogEntry, error: string): void {
    entry.view.detail.outcome = error;
    const extras = this.#rules.extras(baseOf(call.req), request, error);
    redirect(call, request, { error, ...extras, ...this.#state(request) });
  }

  #grant(call: Call, request: AuthorizeRequest, entry: LogEntry, params: Params): void {
    const { face, grants } = this.#parts;
    const person = chosenPerson(face.provider, params);
    const code = this.#rules.newCode();
    grants.issue(code, { request, person, scopes: this.#rules.granted(request.scopes) });
    entry.view.detail.outcome = 'granted';
    const extras = this.#rules.extras(baseOf(call.req), request, null);
    redirect(call, request, { ...this.#state(request), code, ...extras });
  }

  async #answer(call: Call, entry: LogEntry, search: URLSearchParams): Promise<void> {
    const { face, faults } = this.#parts;
    const params = readParams(search);
    const request = this.#rules.read(params);
    const fail: Failure = (status, code) => {
      if (code) this.#refuse(call, request, entry, code);
      else sendPage(call.res, errorPage(face, status, 'server_error', 'That is an error of the provider.'));
    };
    if (await faults.interrupted(call.res, 'authorize', fail)) return;
    // Nobody is ever signed in here before the page has asked (OIDC 3.1.2.6).
    if (request.prompts.includes('none')) return this.#refuse(call, request, entry, 'login_required');
    if (call.req.method !== 'POST') {
      const fields = new Map([...params].filter(([name]) => this.#rules.carried.includes(name)));
      sendPage(call.res, choicePage(face, request, fields));
    } else if (params.get('user') === 'deny') this.#refuse(call, request, entry, 'access_denied');
    else this.#grant(call, request, entry, params);
  }

  /** Answers GET and POST. */
  async handle(call: Call): Promise<void> {
    const { req, res, url } = call;
    if (req.method === 'POST') onOwnPage(req);
    const search = req.method === 'POST' ? await readForm(req) : url.searchParams;
    const entry = opened(this.#parts, call, 'authorize', search);
    try {
      await this.#answer(call, entry, search);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      entry.view.detail.outcome = error.code;
      sendPage(res, errorPage(this.#parts.face, 400, error.code, error.message));
    }
  }
}

/** Mounts the authorization endpoint. */
export function mountAuthorize(parts: ProviderParts, rules: AuthorizeRules): void {
  const authorization = new Authorization(parts, rules);
  for (const method of ['GET', 'POST'] as const)
    parts.router.on(method, parts.face.path, (call) => authorization.handle(call));
}
