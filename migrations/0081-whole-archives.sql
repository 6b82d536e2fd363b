-- What an archive brings beside its chats: which item was made of which, so that the same is not made twice.
create table imported_items (
  user_id uuid not null references users (id),
  kind text not null check (kind in ('text', 'project', 'assistant', 'image', 'prompt', 'note', 'instructions')),
  -- The id that the item had where it comes from.
  source_id text not null check (length(source_id) between 1 and 200),
  -- No foreign key: it names a row of its kind's own table, which may be erased.
  item_id uuid not null,
  -- Null once that import is forgotten.
  import_id uuid references imports on delete set null,
  created_at timestamptz not null default app_now(),
  primary key (user_id, kind, source_id)
);
create index imported_items_of_import on imported_items (import_id);

-- How many of which kind were made, and were there already: { "text": { "added": 3, "present": 0 }, ... }.
alter table imports add column items jsonb not null default '{}';

-- Versions that a model has written elsewhere: no run of this site made them.
alter table work_versions
  add column imported boolean not null default false,
  drop constraint work_versions_check,
  -- Wider, and what is there has held the narrower one.
  add constraint work_versions_check check ((kind = 'generated' and not imported) = (generation_id is not null)) not valid;

-- Sets of images that were made elsewhere: no run of this site made them, and nothing was charged.
alter table image_jobs
  add column imported boolean not null default false,
  drop constraint image_jobs_id_fkey;
alter table image_jobs
  add column generation_id uuid generated always as (case when imported then null else id end) stored references generations;

-- A reply of an imported chat names an imported set, which no run made (invariant I43).
alter table chat_messages drop constraint chat_messages_drawn_by_fkey;
