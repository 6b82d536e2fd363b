-- What a person has asked to be remembered in every chat, sent with their instructions.
create table memory_notes (
  id uuid primary key,
  user_id uuid not null references users (id),
  text text not null check (length(text) between 1 and 250),
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
create index memory_notes_of_user on memory_notes (user_id, created_at);
alter table users add column memory_on boolean not null default true;
