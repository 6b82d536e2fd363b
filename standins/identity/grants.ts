/** Codes and tokens are only in memory: a restart ends them, as a provider may at any time. */
import { randomBytes } from 'node:crypto';
import type { AuthorizeRequest } from './authorize-request.ts';
import type { Person } from './users.ts';

const CODE_MS = 10 * 60_000;
const MAX_ENTRIES = 5000;

interface Grant {
  request: AuthorizeRequest;
  person: Person;
  scopes: string[];
}

export interface Issued extends Grant {
  expiresAt: number;
  used: boolean;
  tokens: string[];
}

interface Access {
  person: Person;
  scopes: string[];
  expiresAt: number;
}

function addBounded<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value);
  const oldest = map.size > MAX_ENTRIES ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
}

export class Grants {
  readonly #now: () => number;
  readonly #codes = new Map<string, Issued>();
  readonly #tokens = new Map<string, Access>();
  readonly #seenPairs = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  issue(code: string, grant: Grant): void {
    addBounded(this.#codes, code, { ...grant, expiresAt: this.#now() + CODE_MS, used: false, tokens: [] });
  }

  /** Redeems a code; a second use also ends the tokens of the first (RFC 6749 4.1.2). */
  redeem(code: string): Issued | 'unknown' | 'used' | 'expired' {
    const issued = this.#codes.get(code);
    if (!issued) return 'unknown';
    if (issued.used) {
      for (const token of issued.tokens) this.#tokens.delete(token);
      return 'used';
    }
    issued.used = true;
    return this.#now() < issued.expiresAt ? issued : 'expired';
  }

  isFirst({ request, person }: Issued): boolean {
    const pair = `${request.clientId} ${person.subject}`;
    const first = !this.#seenPairs.has(pair);
    this.#seenPairs.add(pair);
    return first;
  }

  issueToken(issued: Issued, prefix: string, seconds: number | null): string {
    const token = `${prefix}${randomBytes(27).toString('base64url').replace(/[-_]/g, 'x')}`;
    issued.tokens.push(token);
    const expiresAt = seconds === null ? Number.POSITIVE_INFINITY : this.#now() + seconds * 1000;
    addBounded(this.#tokens, token, { person: issued.person, scopes: issued.scopes, expiresAt });
    return token;
  }

  accessFor(token: string): Access | null {
    const access = this.#tokens.get(token);
    return access && this.#now() < access.expiresAt ? access : null;
  }
}
