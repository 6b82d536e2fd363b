-- Where a browser takes notifications: it ends with its session, and so with a sign-out, a ban and a deletion.
create table push_subscriptions (
  session_id uuid primary key references sessions on delete cascade,
  -- Whoever has it and the two keys can seal a message for the browser, but only the key of the site signs one.
  endpoint text not null unique check (length(endpoint) <= 1000),
  p256dh bytea not null check (length(p256dh) = 65),
  auth bytea not null check (length(auth) = 16),
  -- To which key of the site the browser has bound it.
  vapid_key text not null check (length(vapid_key) = 87),
  language text not null check (length(language) <= 20),
  created_at timestamptz not null default app_now()
);
