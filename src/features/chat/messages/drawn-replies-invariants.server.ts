import { ofRuns } from '#features/generations/service.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { Invariant } from '#platform/feature-module.server.ts';

export const drawnReplies: Invariant = {
  id: 'I43',
  description: "a reply shows only images that a run of the chat's own person made, or that they imported",
  ...ofRuns(
    (runs) => sql`select m.id from ${runs} g
        join (select id, session_id, role, content, drawn_by as run, true as drawn from chat_messages where drawn_by is not null
              union all
              select id, session_id, role, content, generation_id, false from chat_messages where drawn_by is null) m
          on m.run = g.id
        join chat_sessions s on s.id = m.session_id
       where (m.drawn or g.feature = 'image')
         and (g.user_id <> s.user_id or g.feature <> 'image' or m.role <> 'assistant' or m.content <> '')
      union all
      select m.id from chat_messages m join chat_sessions s on s.id = m.session_id join image_jobs j on j.id = m.drawn_by
       where j.imported and (j.user_id <> s.user_id or m.role <> 'assistant' or m.content <> '')`,
  ),
};
