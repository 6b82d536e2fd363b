-- What a person wants every chat reply to know, in their own words: about themselves, and how to answer.
create table instructions (
  user_id uuid primary key references users (id),
  about text not null check (length(about) <= 1500),
  answers text not null check (length(answers) <= 1500),
  enabled boolean not null,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);

-- A temporary chat is in no list, search or archive, and has no title: it is erased when it is left, or after a day.
alter table chat_sessions add column temporary boolean not null default false;
create index chat_sessions_temporary on chat_sessions (created_at) where temporary;

-- Called in the statement that makes the chat. 'user': neither the first words nor the model gives it a title.
create function mark_temporary(p_new boolean, p_chat uuid) returns boolean language plpgsql as $$
begin
  if not coalesce(p_new, false) then return false; end if;
  update chat_sessions set temporary = true, title = 'New Conversation', title_source = 'user' where id = p_chat;
  return true;
end $$;
