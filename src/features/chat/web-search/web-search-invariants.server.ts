import { sql } from '#platform/database/sql.server.ts';
import type { Invariant } from '#platform/feature-module.server.ts';

export const chatInvariants: readonly Invariant[] = [
  {
    id: 'I35',
    description: 'a charged reply is charged for web search exactly when it has sources',
    violations: sql`select g.id, g.price, g.credits_charged, w.price as search, w.state
      from web_searches w join generations g on g.id = w.generation_id
     where g.finished_at is not null and g.credits_charged > 0 and w.price > 0
       and (g.credits_charged = g.price) <> (w.state = 'found')`,
  },
];
