-- Chats that stand above the others, and chats that have left the list. A pin is kept while its chat is archived or
-- deleted, and is in force only while it is neither.
alter table chat_sessions
  add pinned_at timestamptz,
  -- Milliseconds, as the cursor of the list has them.
  add archived_at timestamptz(3);

-- The list leaves archived chats out: however many they are, a page of it reads as many rows as it shows. A search asks
-- for all, by the index of before.
create index chat_sessions_listed on chat_sessions (user_id, updated_at desc, id desc)
  where deleted_at is null and archived_at is null;
create index chat_sessions_archived on chat_sessions (user_id, archived_at desc, id desc)
  where deleted_at is null and archived_at is not null;
create index chat_sessions_pinned on chat_sessions (user_id) where pinned_at is not null;

-- Whoever says something in an archived chat wants it back. A trigger, so that each way to a new reply has it, the build
-- before too; the pin lapses, as there may be no room for it.
create function bring_chat_back() returns trigger language plpgsql as $$
begin
  update chat_sessions set archived_at = null, pinned_at = null
   where id = new.session_id and archived_at is not null;
  return null;
end $$;
create trigger chat_messages_bring_back after insert on chat_messages
  for each row when (new.role = 'assistant') execute function bring_chat_back();
