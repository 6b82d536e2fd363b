import { sql } from '#platform/database/sql.server.ts';
import type { Invariant } from '#platform/feature-module.server.ts';

export const importsInvariants: readonly Invariant[] = [
  {
    id: 'I33',
    description:
      'an imported chat belongs to its own person and cost nothing, and no finished import keeps its file',
    violations: sql`select c.chat_id::text as id from imported_chats c join chat_sessions s on s.id = c.chat_id
        where s.user_id <> c.user_id or not s.imported
      union all
      select p.file_key from import_parts p join imports i on i.id = p.import_id
       where p.user_id <> i.user_id or i.finished_at is not null`,
  },
  {
    id: 'I45',
    description:
      "nobody has someone else's imported text, image set, document, project, assistant, prompt, tag or file, and no imported set was charged",
    violations: sql`select i.item_id as id from imported_items i
      join (select id, user_id from works union all select id, user_id from image_jobs union all select id, user_id from documents
            union all select id, user_id from projects union all select id, user_id from own_assistants
            union all select id, user_id from prompts union all select id, user_id from memory_notes
            union all select id, user_id from tags union all select id, user_id from attachments) o on o.id = i.item_id
       where o.user_id is distinct from i.user_id
      union all
      select j.id from image_jobs j join generations g on g.id = j.id where j.imported`,
  },
  {
    id: 'I46',
    description: 'results in a document without a run are complete',
    violations: sql`select id from document_runs where generation_id is null and result is null`,
  },
];
