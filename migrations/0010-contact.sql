-- Messages to support, stored before anything is mailed of them.
create table contact_messages (
  id uuid primary key default gen_random_uuid(),
  -- What the sender and support name it by; without look-alikes.
  reference text not null unique check (reference ~ '^C-[234679CDFGHJKMNPQRTVWXY]{4}-[234679CDFGHJKMNPQRTVWXY]{4}$'),
  -- Null: sent by a guest.
  user_id uuid references users on delete cascade,
  kind text not null check (kind in ('question', 'account', 'billing', 'problem', 'content', 'privacy', 'business')),
  name text not null check (length(name) <= 80),
  email text not null check (length(email) <= 254),
  message text not null check (length(message) between 1 and 5000),
  -- Of sender and words: the same again within some minutes is the same message.
  digest bytea not null,
  created_at timestamptz not null default app_now(),
  done_at timestamptz,
  -- The operator who saw to it.
  done_by text,
  check ((done_at is null) = (done_by is null))
);
create index contact_messages_same on contact_messages (digest, created_at desc);
create index contact_messages_of_user on contact_messages (user_id, created_at) where user_id is not null;
create index contact_messages_of_email on contact_messages (email);
create index contact_messages_open on contact_messages (created_at) where done_at is null;
create index contact_messages_done on contact_messages (done_at) where done_at is not null;

-- The two mails of a message: to support, and the receipt to its sender.
create table contact_mails (
  message_id uuid not null references contact_messages on delete cascade,
  kind text not null check (kind in ('support', 'receipt')),
  attempts integer not null default 0,
  next_try_at timestamptz not null default app_now(),
  created_at timestamptz not null default app_now(),
  sent_at timestamptz,
  primary key (message_id, kind)
);
create index contact_mails_open on contact_mails (next_try_at) where sent_at is null;
