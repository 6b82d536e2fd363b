-- What people think of replies. A rating goes with its reply.
create table reply_ratings (
  message_id uuid primary key references chat_messages on delete cascade,
  user_id uuid not null references users (id),
  good boolean not null,
  -- What is wrong with one that is not good.
  reason text check (reason in ('wrong', 'off_topic', 'length', 'style', 'refused', 'other')),
  created_at timestamptz not null default app_now(),
  check (reason is null or not good)
);
create index reply_ratings_by_time on reply_ratings (created_at);
