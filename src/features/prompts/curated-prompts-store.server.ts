import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';

export interface CuratedRow {
  slug: string;
  title: string;
  description: string;
  content: string;
  opening: string;
  category: string;
  locked: boolean;
  gives_text: boolean;
  tags: string[];
  editor_rating: number | null;
  editor_reason: string | null;
  place: number;
}

export async function storedDigest(db: Database): Promise<string | null> {
  const row = await db.row<{ value: string }>(
    sql`select value from instance_values where key = 'curated-prompts'`,
  );
  return row?.value ?? null;
}

/** Inserts or updates the curated prompts, and withdraws those that are not in `rows`. */
export async function replaceCurated(tx: Database, rows: CuratedRow[], digest: string): Promise<void> {
  await tx.run(sql`
    insert into prompts (slug, title, description, content, opening, category, locked, gives_text, tags, editor_rating,
                         editor_reason, place, state, published_at)
    select slug, title, description, content, opening, category, locked, gives_text, tags, editor_rating,
           editor_reason, place, 'approved', app_now()
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r(slug text, title text, description text, content text, opening text, category text, locked boolean,
             gives_text boolean, tags text[], editor_rating smallint, editor_reason text, place smallint)
    on conflict (slug) do update set
      title = excluded.title, description = excluded.description, content = excluded.content, opening = excluded.opening,
      category = excluded.category, locked = excluded.locked, gives_text = excluded.gives_text, tags = excluded.tags,
      editor_rating = excluded.editor_rating, editor_reason = excluded.editor_reason,
      place = excluded.place, state = 'approved',
      revision = prompts.revision + (prompts.content <> excluded.content)::int, updated_at = app_now()
     where prompts.user_id is null`);
  await tx.run(sql`
    update prompts set state = 'withdrawn'
     where user_id is null and slug <> all(${rows.map(({ slug }) => slug)}::text[])`);
  await tx.run(sql`
    insert into instance_values (key, value) values ('curated-prompts', ${digest})
    on conflict (key) do update set value = excluded.value`);
}
