import { sql } from '#platform/database/sql.server.ts';
import type { Invariant } from '#platform/feature-module.server.ts';

export const apiKeysInvariants: readonly Invariant[] = [
  {
    id: 'I31',
    description:
      'a run with an API key belongs to the key’s person, has an existing scope, and counts at least what it was charged',
    violations: sql`select r.generation_id, k.id as key from api_key_runs r
      join generations g on g.id = r.generation_id join api_keys k on k.id = r.api_key_id
      where g.user_id <> k.user_id or r.credits < g.price or g.feature not in ('completion', 'image')`,
  },
];
