/** Codes and tokens are only in memory: a restart ends them, as a provider may at any time. */
import { randomBytes } from 'node:crypto';
import type { AuthorizeRequest } from './authorize-request.ts';
import type { Person } from './users.ts';

const CODE_MS = 10 * 60_000;
const MAX_KEPT = 5000;

interface Grant {
  request: AuthorizeRequest;
  person: Person;
  scopes: string[];
}

export interface Issued extends Grant {
  until: number;
  used: boolean;
  tokens: string[];
}

interface Access {
  person: Person;
  scopes: string[];
  until: number;
}

function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value);
  const oldest = map.size > MAX_KEPT ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
}

export class Grants {
  readonly #now: () => number;
  readonly #codes = new Map<string, Issued>();
  readonly #tokens = new Map<string, Access>();
  readonly #known = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  issue(code: string, grant: Grant): void {
    keep(this.#codes, code, { ...grant, until: this.#now() + CODE_MS, used: false, tokens: [] });
  }

  /** Redeems a code; a second use also ends the tokens of the first (RFC 6749 4.1.2). */
  take(code: string): Issued | 'unknown' | 'used' | 'expired' {
    const issued = this.#codes.get(code);
    if (!issued) return 'unknown';
    if (issued.used) {
      for (const token of issued.tokens) this.#tokens.delete(token);
      return 'used';
    }
    issued.used = true;
    return this.#now() < issued.until ? issued : 'expired';
  }

  isFirst({ request, person }: Issued): boolean {
    const pair = `${request.clientId} ${person.subject}`;
    const first = !this.#known.has(pair);
    this.#known.add(pair);
    return first;
  }

  access(issued: Issued, prefix: string, seconds: number | null): string {
    const token = `${prefix}${randomBytes(27).toString('base64url').replace(/[-_]/g, 'x')}`;
    issued.tokens.push(token);
    const until = seconds === null ? Number.POSITIVE_INFINITY : this.#now() + seconds * 1000;
    keep(this.#tokens, token, { person: issued.person, scopes: issued.scopes, until });
    return token;
  }

  holder(token: string): Access | null {
    const access = this.#tokens.get(token);
    return access && this.#now() < access.until ? access : null;
  }
}
