-- Files of other services, or of another site of this kind, out of which chats are made. What was sent of one stands in
-- import_parts until its chats are made.
create table imports (
  id uuid primary key,
  user_id uuid not null references users (id),
  name text not null check (length(name) between 1 and 255),
  bytes bigint not null check (bytes > 0),
  -- In which what was left out of a message is said in it.
  language text not null,
  state text not null default 'uploading' check (state in ('uploading', 'queued', 'running', 'done', 'failed')),
  -- Known once the file has been read.
  source text check (source in ('chatgpt', 'claude', 'archive')),
  -- Chats in the file; those of them that have had their turn; made of it; there from an earlier import.
  total integer check (total >= 0),
  handled integer not null default 0 check (handled >= 0),
  added integer not null default 0 check (added >= 0),
  present integer not null default 0 check (present >= 0),
  -- How many of which kind were left out: { "images": 3, ... }.
  left_out jsonb not null default '{}',
  failure text,
  -- Counts the processes that took it up: who has another number writes nothing any more.
  epoch integer not null default 0,
  created_at timestamptz not null default app_now(),
  -- A running one that is not touched for a while belongs to a process that is gone.
  touched_at timestamptz not null default app_now(),
  finished_at timestamptz,
  check ((finished_at is not null) = (state in ('done', 'failed'))),
  check ((failure is not null) = (state = 'failed'))
);
create unique index imports_open on imports (user_id) where state in ('uploading', 'queued', 'running');
create index imports_of_user on imports (user_id, created_at desc);
create index imports_waiting on imports (created_at) where state in ('uploading', 'queued', 'running');

create table import_parts (
  import_id uuid not null references imports on delete cascade,
  position smallint not null check (position between 0 and 99),
  user_id uuid not null references users (id),
  bytes integer not null check (bytes > 0),
  file_key text not null unique,
  primary key (import_id, position)
);

-- Which chat was made of which: the same is not made twice.
create table imported_chats (
  user_id uuid not null references users (id),
  source text not null check (source in ('chatgpt', 'claude', 'archive')),
  -- The id that the chat had where it comes from.
  source_id text not null check (length(source_id) between 1 and 200),
  chat_id uuid not null unique references chat_sessions on delete cascade,
  -- Null once that import is forgotten.
  import_id uuid references imports on delete set null,
  bytes bigint not null check (bytes >= 0),
  created_at timestamptz not null default app_now(),
  primary key (user_id, source, source_id)
);
create index imported_chats_of_import on imported_chats (import_id);

-- Chats that an import made count for no day.
alter table chat_sessions add column imported boolean not null default false;

-- The function as it is, but for the chats that it counts.
do $$
declare
  v_old text := pg_get_functiondef('admit_generation'::regproc);
  v_new text := replace(v_old, 's.created_at >= app_day())', 's.created_at >= app_day() and not s.imported)');
begin
  if v_new = v_old then raise exception 'admit_generation counts no chats of the day'; end if;
  execute v_new;
end $$;
