-- The newsletter. A wish to get it waits here until its mail is answered; unanswered ones are deleted after a week.
create table newsletter_requests (
  id uuid primary key,
  email text not null,
  -- Of the link that was mailed last; null until then.
  token_hash bytea unique,
  -- What was consented to (contract.ts), on which page, from which network (shortened).
  wording integer not null,
  source text not null,
  network text not null,
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  mailed_at timestamptz
);
create index newsletter_requests_of_email on newsletter_requests (email);
create index newsletter_requests_expiry on newsletter_requests (expires_at);

-- Who gets it, with the proof of consent, and of who has left nothing but a hash: by it nobody gets an issue twice, and
-- nobody else can have an address asked often that has left.
create table newsletter_subscribers (
  id uuid primary key,
  -- HMAC of the address under a key of this database, so that it outlasts AUTH_SECRET.
  address_hash bytea not null unique,
  email text unique,
  -- In the link of each mail, for as long as mails are kept.
  leave_token text not null unique,
  wording integer,
  source text,
  asked_at timestamptz,
  asked_network text,
  confirmed_at timestamptz,
  confirmed_network text,
  left_at timestamptz,
  created_at timestamptz not null default app_now(),
  constraint consent_or_nothing check (case when left_at is null
    then num_nulls(email, wording, source, asked_at, asked_network, confirmed_at, confirmed_network) = 0
    else num_nonnulls(email, wording, source, asked_at, asked_network, confirmed_at, confirmed_network) = 0 end)
);

-- Who is sent to; nobody whose account of the same address is deleted and waits for its erasure.
create view newsletter_recipients as
  select s.id, s.email, s.leave_token, s.wording, s.source, s.asked_at, s.confirmed_at from newsletter_subscribers s
   where s.left_at is null and not exists
     (select 1 from users u where u.email = s.email and u.deleted_at is not null);

-- An issue is its text: the same text is never sent twice, whatever its subject.
create table newsletter_issues (
  id uuid primary key,
  body_hash bytea not null unique,
  subject text not null,
  body text not null,
  -- When it was sent to everybody; until then it has only been tried.
  released_at timestamptz,
  created_at timestamptz not null default app_now()
);

-- One mail of an issue. It is taken before it is handed over and never taken again, unless the mail server has said that
-- it did not take it: what a crash leaves as taken may or may not have been sent.
create table newsletter_deliveries (
  id bigint generated always as identity primary key,
  issue_id uuid not null references newsletter_issues,
  subscriber_id uuid references newsletter_subscribers on delete cascade,
  -- For a trial before it goes to everybody; deleted a week later.
  trial_address text,
  state text not null default 'waiting' check (state in ('waiting', 'taken', 'sent', 'failed')),
  attempts integer not null default 0,
  next_try_at timestamptz not null default app_now(),
  created_at timestamptz not null default app_now(),
  sent_at timestamptz,
  check ((subscriber_id is null) <> (trial_address is null)),
  unique (issue_id, subscriber_id)
);
create index newsletter_deliveries_waiting on newsletter_deliveries (next_try_at) where state = 'waiting';
create index newsletter_deliveries_of_subscriber on newsletter_deliveries (subscriber_id);
