-- Sign-in with Google and GitHub. A person is known by provider and subject, never by the address alone.
create table identities (
  provider text not null check (provider in ('google', 'github')),
  subject text not null check (length(subject) between 1 and 255),
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default app_now(),
  last_used_at timestamptz not null default app_now(),
  primary key (provider, subject)
);
-- One account at each provider: an old one is removed before another is linked.
create unique index identities_of_user on identities (user_id, provider);

-- A journey to a provider and back. PKCE verifier and nonce are derived from the state, of which only a hash is kept.
create table oauth_attempts (
  state_hash bytea primary key,
  provider text not null check (provider in ('google', 'github')),
  browser_hash bytea not null,
  next text,
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index oauth_attempts_expiry on oauth_attempts (expires_at);

-- Given to whoever proves to be the owner of a deleted account, until it is erased.
create table restore_offers (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null
);
create index restore_offers_expiry on restore_offers (expires_at);

-- Small pictures, re-encoded by us: in the database they are erased, copied and shared between processes with the person.
create table avatars (
  user_id uuid primary key references users on delete cascade,
  version text not null,
  bytes bytea not null check (length(bytes) <= 65536),
  created_at timestamptz not null default app_now()
);
create index users_deleted on users (deleted_at) where deleted_at is not null and erased_at is null;
