-- Prompts: the curated ones (kept equal to content/prompts at the start of the site) and those of people.
create table prompts (
  id uuid primary key default gen_random_uuid(),
  -- In the address of its page; a person's own has one from its first approval on.
  slug text unique check (length(slug) between 1 and 120),
  -- Null: a curated one.
  user_id uuid references users on delete cascade,
  title text not null check (length(title) between 1 and 200),
  description text not null check (length(description) <= 400),
  content text not null check (length(content) between 1 and 16000),
  -- The first lines: all that is shown and searched of a locked one for those who may not see it.
  opening text not null,
  category text not null check (category in ('writing', 'programming', 'image', 'marketing')),
  locked boolean not null default false,
  -- The editor's own, in tenths.
  editor_rating smallint check (editor_rating between 0 and 50),
  state text not null check (state in ('private', 'pending', 'approved', 'rejected', 'withdrawn')),
  -- What the operator said of a rejected one.
  reason text,
  -- Counts the versions of the text, so that what is approved is what was read.
  revision integer not null default 1,
  -- Order of the curated ones among those with as many likes.
  place smallint not null default 0,
  likes integer not null default 0 check (likes >= 0),
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  submitted_at timestamptz,
  published_at timestamptz,
  deleted_at timestamptz,
  check (user_id is not null or (slug is not null and state in ('approved', 'withdrawn'))),
  check (state <> 'approved' or (slug is not null and published_at is not null)),
  check (user_id is null or (not locked and editor_rating is null))
);
create index prompts_public on prompts (category, likes desc, published_at desc, id) where state = 'approved' and deleted_at is null;
create index prompts_of_user on prompts (user_id, updated_at desc) where user_id is not null;
create index prompts_queue on prompts (submitted_at) where state = 'pending' and deleted_at is null;
create index prompts_bin on prompts (deleted_at) where deleted_at is not null;

create table prompt_likes (
  prompt_id uuid not null references prompts on delete cascade,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default app_now(),
  primary key (prompt_id, user_id)
);
create index prompt_likes_of_user on prompt_likes (user_id);

create table prompt_reports (
  prompt_id uuid not null references prompts on delete cascade,
  user_id uuid not null references users on delete cascade,
  reason text not null check (length(reason) <= 1000),
  created_at timestamptz not null default app_now(),
  -- When an operator has seen to it.
  closed_at timestamptz,
  primary key (prompt_id, user_id)
);
create index prompt_reports_of_user on prompt_reports (user_id);
create index prompt_reports_open on prompt_reports (created_at) where closed_at is null;

-- What operators decided; outlives the prompt, of which it holds a digest and no word.
create table prompt_decisions (
  id bigint generated always as identity primary key,
  prompt_id uuid not null,
  revision integer not null,
  digest bytea not null,
  action text not null check (action in ('approve', 'reject', 'unpublish', 'keep')),
  reason text not null default '',
  operator text not null,
  created_at timestamptz not null default app_now()
);
create index prompt_decisions_of on prompt_decisions (prompt_id);
create trigger prompt_decisions_append_only before update or delete on prompt_decisions
  for each row execute function refuse_change();
create trigger prompt_decisions_no_truncate before truncate on prompt_decisions
  for each statement execute function refuse_change();
