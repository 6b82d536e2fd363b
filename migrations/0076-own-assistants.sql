-- Assistants that a person has made: who answers in a chat, by the person's own words. A deleted one is kept for a while.
create table own_assistants (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  name text not null check (length(name) between 1 and 60),
  about text not null default '' check (length(about) <= 160),
  instruction text not null default '' check (length(instruction) <= 1500),
  -- Of the operator's list: what a chat uses from when the assistant is chosen; null leaves it as it is.
  model text check (length(model) <= 200),
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  deleted_at timestamptz,
  unique (id, user_id)
);
create index own_assistants_of_user on own_assistants (user_id, created_at);

-- In place of `assistant`. No foreign key: a chat says that its assistant was deleted for as long as none is chosen.
alter table chat_sessions add column own_assistant_id uuid;
-- Who replied, where it was one of these.
alter table chat_messages add column assistant_name text;

-- A row has one of the two.
alter table knowledge_files
  alter column project_id drop not null,
  add column assistant_id uuid,
  add unique (assistant_id, attachment_id),
  add foreign key (assistant_id, user_id) references own_assistants (id, user_id) on delete cascade;

-- Called in the statement that makes the chat. `p_model` where the person has chosen none.
create function begin_with_assistant(p_new boolean, p_chat uuid, p_user uuid, p_assistant uuid, p_model text) returns uuid language plpgsql as $$
begin
  if not coalesce(p_new, false) then return null; end if;
  perform 1 from own_assistants where id = p_assistant and user_id = p_user and deleted_at is null for share;
  if not found then raise exception 'no such assistant' using errcode = 'AS404'; end if;
  update chat_sessions set own_assistant_id = p_assistant, model = coalesce(p_model, model) where id = p_chat;
  return p_assistant;
end $$;
