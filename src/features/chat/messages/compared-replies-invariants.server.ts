import { ofRuns } from '#features/generations/service.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { Invariant } from '#platform/feature-module.server.ts';

export const comparedReplies: Invariant = {
  id: 'I39',
  description: 'replies requested together answer one question and refer to each other',
  ...ofRuns(
    (runs) => sql`select m.id from ${runs} g join chat_messages m on m.generation_id = g.id
      left join chat_messages o on o.id::text = g.input -> 'beside' ->> 'id' and o.parent_id = m.parent_id
      left join generations p on p.id = o.generation_id
     where g.input ? 'beside' and p.input -> 'beside' ->> 'id' is distinct from m.id::text`,
  ),
};
