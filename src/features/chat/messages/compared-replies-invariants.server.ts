import { sql } from '#platform/database/sql.server.ts';
import type { Invariant } from '#platform/feature-module.server.ts';

export const comparedReplies: Invariant = {
  id: 'I39',
  says: 'replies that were asked for together answer one question and name each other',
  violations: sql`select m.id from chat_messages m join generations g on g.id = m.generation_id
      left join chat_messages o on o.id::text = g.input -> 'beside' ->> 'id' and o.parent_id = m.parent_id
      left join generations p on p.id = o.generation_id
     where g.input ? 'beside' and p.input -> 'beside' ->> 'id' is distinct from m.id::text`,
};
