-- A person's chats that belong together, with instructions that every reply in them is given. A deleted one is kept for
-- a while with its chats in it, which are in no project meanwhile.
create table projects (
  id uuid primary key,
  user_id uuid not null references users (id),
  name text not null check (length(name) between 1 and 80),
  instructions text not null default '' check (length(instructions) <= 1500),
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  deleted_at timestamptz,
  unique (id, user_id)
);
create index projects_of_user on projects (user_id, created_at);

alter table chat_sessions
  add column project_id uuid,
  add foreign key (project_id, user_id) references projects (id, user_id) on delete set null (project_id);
create index chat_sessions_in_project on chat_sessions (project_id, updated_at desc, id desc)
  where project_id is not null;

-- Called in the statement that makes the chat.
create function place_in_project(p_new boolean, p_chat uuid, p_user uuid, p_project uuid) returns uuid language plpgsql as $$
begin
  if not coalesce(p_new, false) then return null; end if;
  perform 1 from projects where id = p_project and user_id = p_user and deleted_at is null for share;
  if not found then raise exception 'no such project' using errcode = 'PR404'; end if;
  update chat_sessions set project_id = p_project where id = p_chat;
  return p_project;
end $$;
