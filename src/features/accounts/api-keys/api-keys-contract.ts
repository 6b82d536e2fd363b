import { z } from 'zod/mini';

/** What a key may do: ask for chat completions, or for pictures. */
export const keyScopes = ['chat', 'images'] as const;
export type KeyScope = (typeof keyScopes)[number];

export const keyLimits = {
  /** UTF-16 units. */
  name: 60,
  /** Of one person, those that were revoked left out. */
  keys: 20,
  /** Credits a month. */
  ceiling: 1_000_000,
} as const;

/** What every key begins with, so that people and scanners of secrets know one. */
export const keyPrefix = 'ait_';

export interface ApiKey {
  id: string;
  name: string;
  lastFour: string;
  scopes: KeyScope[];
  /** Credits a UTC month; null for no ceiling. */
  ceiling: number | null;
  /** The last UTC day (YYYY-MM-DD) on which it works; null for no end. */
  endsOn: string | null;
  ended: boolean;
  createdAt: string;
  usedAt: string | null;
  /** Of this UTC month. Credits by the table of prices, also where the plan is charged none. */
  month: { runs: number; credits: number };
}

const fields = () => ({
  name: z.string(),
  scopes: z.array(z.enum(keyScopes)).check(z.minLength(1)),
  ceiling: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(keyLimits.ceiling)))),
  endsOn: z.optional(z.nullable(z.iso.date())),
});

export const makeKeyRequest = /* @__PURE__ */ (() => z.object(fields()))();
export type MakeKey = z.infer<typeof makeKeyRequest>;

export const changeKeyRequest = /* @__PURE__ */ (() => z.partial(z.object(fields())))();
export type ChangeKey = z.infer<typeof changeKeyRequest>;

/** `POST /api/me/api-keys`: the secret is told here and never again. */
export interface MadeKey {
  key: ApiKey;
  secret: string;
}

/** What a program is told beside its key. */
export interface ApiAddress {
  baseUrl: string;
  model: string;
}
