import { z } from 'zod/mini';

/** Permissions of a key: chat completions and images. */
export const keyScopes = ['chat', 'images'] as const;
export type KeyScope = (typeof keyScopes)[number];

export const keyLimits = {
  /** UTF-16 units. */
  name: 60,
  /** Per user, without revoked ones. */
  keys: 20,
  /** Credits per month. */
  ceiling: 1_000_000,
} as const;

/** Prefix of every key, by which people and secret scanners recognize one. */
export const keyPrefix = 'ait_';

export interface ApiKey {
  id: string;
  name: string;
  lastFour: string;
  scopes: KeyScope[];
  /** Credits per UTC month; null: no ceiling. */
  ceiling: number | null;
  /** Last UTC day (YYYY-MM-DD) on which it works; null: no end. */
  endsOn: string | null;
  ended: boolean;
  createdAt: string;
  usedAt: string | null;
  /** The current UTC month. Credits by the price table, even if the plan is not charged. */
  month: { runs: number; credits: number };
}

const fields = () => ({
  name: z.string(),
  scopes: z.array(z.enum(keyScopes)).check(z.minLength(1)),
  ceiling: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(keyLimits.ceiling)))),
  endsOn: z.optional(z.nullable(z.iso.date())),
});

export const createKeyRequest = /* @__PURE__ */ (() => z.object(fields()))();
export type CreateKey = z.infer<typeof createKeyRequest>;

export const changeKeyRequest = /* @__PURE__ */ (() => z.partial(z.object(fields())))();
export type ChangeKey = z.infer<typeof changeKeyRequest>;

/** Response of `POST /api/me/api-keys`, the only time that the secret is shown. */
export interface CreatedKey {
  key: ApiKey;
  secret: string;
}

/** Settings that a program needs besides its key. */
export interface ApiAddress {
  baseUrl: string;
  model: string;
}
