-- Pages that show a chat, or one reply with its question, to whoever has their address.
create table shares (
  -- Its address: 144 random bits in base64url.
  id text primary key check (id ~ '^[A-Za-z0-9_-]{24}$'),
  user_id uuid not null references users (id),
  chat_id uuid not null references chat_sessions on delete cascade,
  -- The reply that is shared alone; null: the chat as it is shown.
  message_id uuid references chat_messages on delete cascade,
  title text not null,
  -- [{ role, text, files }] as they were when the page was made or updated; null once it is taken down.
  messages jsonb,
  message_count integer not null check (message_count > 0),
  show_name boolean not null,
  indexed boolean not null,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  -- Null for no end.
  ends_at timestamptz,
  -- By an operator: the row stays, so that the same is not shared again.
  taken_down_at timestamptz,
  check ((taken_down_at is null) = (messages is not null))
);
create unique index shares_of_source on shares (chat_id, coalesce(message_id, chat_id));
create index shares_of_user on shares (user_id, created_at desc, id desc);
create index shares_of_message on shares (message_id) where message_id is not null;
create index shares_ending on shares (ends_at) where ends_at is not null;

-- What readers report of a page; it outlives the page. Nothing of the reader is kept.
create table share_reports (
  id bigint generated always as identity primary key,
  share_id text not null,
  -- Whose page it is.
  user_id uuid not null references users (id),
  reason text not null check (reason in ('spam', 'personal', 'harmful', 'illegal', 'other')),
  words text not null check (length(words) <= 1000),
  created_at timestamptz not null default app_now(),
  -- When an operator has seen to it.
  closed_at timestamptz
);
create index share_reports_of_share on share_reports (share_id, created_at);
create index share_reports_of_user on share_reports (user_id);
