import { createHash, randomBytes } from 'node:crypto';
import type { ProviderName } from './users.ts';

export const REDIRECT = 'http://localhost:4999/back?kept=1';

const PATHS = {
  google: { authorize: '/google/authorize', token: '/google/token', scope: 'openid email profile' },
  github: {
    authorize: '/github/login/oauth/authorize',
    token: '/github/login/oauth/access_token',
    scope: 'read:user user:email',
  },
};

export type Changes = Record<string, string | null>;

function withChanges(defaults: Record<string, string>, changes: Changes): URLSearchParams {
  const all = Object.entries({ ...defaults, ...changes });
  return new URLSearchParams(all.filter((entry): entry is [string, string] => entry[1] !== null));
}

function form(body: URLSearchParams, headers: Record<string, string> = {}): RequestInit {
  return { method: 'POST', body, headers, redirect: 'manual' };
}

function hiddenFields(page: string): Record<string, string> {
  const start = page.indexOf('<form');
  const first = page.slice(start, page.indexOf('</form>', start));
  const found = first.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
  return Object.fromEntries([...found].map(([, name, value]) => [name, value!.replaceAll('&amp;', '&')]));
}

export class Flow {
  readonly base: string;
  readonly provider: ProviderName;
  readonly verifier = randomBytes(32).toString('base64url');
  readonly state = randomBytes(8).toString('hex');
  readonly nonce = randomBytes(8).toString('hex');

  constructor(base: string, provider: ProviderName) {
    this.base = base;
    this.provider = provider;
  }

  get #paths() {
    return PATHS[this.provider];
  }

  params(changes: Changes = {}): URLSearchParams {
    const defaults = {
      client_id: 'stand-in',
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: this.#paths.scope,
      state: this.state,
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...(this.provider === 'google' ? { nonce: this.nonce } : {}),
    };
    return withChanges(defaults, changes);
  }

  page(changes: Changes = {}): Promise<Response> {
    return fetch(`${this.base}${this.#paths.authorize}?${this.params(changes)}`, { redirect: 'manual' });
  }

  post(choice: Changes, headers: Record<string, string> = {}): Promise<Response> {
    const body = this.params({ user: 'ada', ...choice });
    return fetch(`${this.base}${this.#paths.authorize}`, form(body, headers));
  }

  async choose(user: string, changes: Changes = {}, request: Changes = {}): Promise<URL> {
    const fields = hiddenFields(await (await this.page(request)).text());
    const body = withChanges({ ...fields, user }, changes);
    const answer = await fetch(`${this.base}${this.#paths.authorize}`, form(body));
    return new URL(answer.headers.get('location') ?? '');
  }

  async code(user: string, changes: Changes = {}, request: Changes = {}): Promise<string> {
    return (await this.choose(user, changes, request)).searchParams.get('code') ?? '';
  }

  token(code: string, changes: Changes = {}, headers: Record<string, string> = {}): Promise<Response> {
    const defaults = {
      client_id: 'stand-in',
      client_secret: 'stand-in',
      code,
      redirect_uri: REDIRECT,
      code_verifier: this.verifier,
      ...(this.provider === 'google' ? { grant_type: 'authorization_code' } : {}),
    };
    return fetch(`${this.base}${this.#paths.token}`, form(withChanges(defaults, changes), headers));
  }
}

export async function control(base: string, patch: unknown): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${base}/control`, { method: 'POST', headers, body: JSON.stringify(patch) });
  if (!answer.ok) throw new Error(`The switches answer ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}
