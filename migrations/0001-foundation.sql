-- Time. One function decides all limits, leases and expiries; its offset is set only in a sandbox.
create table app_clock (
  one boolean primary key default true check (one),
  offset_ms bigint not null default 0
);
insert into app_clock default values;
create function app_now() returns timestamptz language sql stable
  as $$ select now() + (select offset_ms from app_clock) * interval '1 millisecond' $$;
create function app_day() returns timestamptz language sql stable
  as $$ select date_trunc('day', app_now(), 'UTC') $$;

-- Values that every process on this database shares and that outlive a rotation of AUTH_SECRET.
create table instance_values (key text primary key, value text not null);

-- Accounts
create table users (
  id uuid primary key,
  email text unique,
  name text not null check (length(name) <= 200),
  avatar_url text,
  plan text not null default 'free' check (plan in ('free', 'pro', 'business')),
  credits integer not null default 0 check (credits >= 0),
  subscription_status text not null default 'active',
  provider text not null default 'email',
  created_at timestamptz not null default app_now(),
  deleted_at timestamptz,
  erased_at timestamptz
);

create table sessions (
  id uuid primary key,
  token_hash bytea not null unique,
  user_id uuid not null references users on delete cascade,
  user_agent text not null default '',
  created_at timestamptz not null default app_now(),
  last_seen_at timestamptz not null default app_now(),
  expires_at timestamptz not null
);
create index sessions_of_user on sessions (user_id, created_at desc);
create index sessions_expiry on sessions (expires_at);

create table sign_ins (
  id uuid primary key,
  email text not null,
  next text,
  browser_hash bytea,
  link_hash bytea unique,
  code_hash bytea,
  tries integer not null default 0,
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  voided_at timestamptz
);
create index sign_ins_of_email on sign_ins (email, created_at desc);
create index sign_ins_expiry on sign_ins (expires_at);

-- One welcome grant per person: the key is an HMAC of the canonical mailbox, kept after deletion.
create table welcome_grants (
  identity_key bytea primary key,
  user_id uuid not null references users,
  granted_at timestamptz not null default app_now()
);

create table rate_limits (
  key text primary key,
  count integer not null,
  resets_at timestamptz not null
);
create index rate_limits_reset on rate_limits (resets_at);

-- Plans: dated grants by the operator; subscriptions join the view with the issue "Plans".
create table plan_grants (
  id uuid primary key,
  user_id uuid not null references users,
  plan text not null check (plan in ('pro', 'business')),
  starts_at timestamptz not null default app_now(),
  ends_at timestamptz,
  cause text not null,
  created_at timestamptz not null default app_now()
);
create index plan_grants_of_user on plan_grants (user_id);

create view entitlements as
  select u.id as user_id,
         coalesce((select case when bool_or(g.plan = 'business') then 'business' else 'pro' end
                     from plan_grants g
                    where g.user_id = u.id and g.starts_at <= app_now()
                      and (g.ends_at is null or g.ends_at > app_now())
                   having count(*) > 0), 'free') as plan
    from users u;

-- Generations: everything that a model makes. A process holds one lease for all its runs; when it lapses, any
-- other process may close them.
create table engine_leases (
  owner text primary key,
  lease_until timestamptz not null
);

create table generations (
  id uuid primary key,
  user_id uuid not null references users,
  feature text not null,
  state text not null check (state in ('queued', 'running', 'done', 'stopped', 'failed', 'interrupted')),
  counted boolean not null,
  idempotency_key text not null check (length(idempotency_key) <= 200),
  request_hash bytea not null,
  input jsonb not null default '{}',
  price integer not null check (price >= 0),
  credits_charged integer not null default 0 check (credits_charged >= 0),
  epoch integer not null default 1,
  owner text not null,
  stop_requested_at timestamptz,
  finish_reason text check (finish_reason in ('stop', 'length', 'filtered')),
  error_code text,
  error_message text,
  text text,
  result jsonb,
  created_at timestamptz not null default app_now(),
  started_at timestamptz,
  finished_at timestamptz,
  unique (user_id, idempotency_key),
  check ((state in ('queued', 'running')) = (finished_at is null))
);
create index generations_open on generations (owner) where state in ('queued', 'running');
create index generations_open_of_user on generations (user_id) where state in ('queued', 'running');
create index generations_of_day on generations (user_id, feature, created_at);

create table generation_chunks (
  generation_id uuid not null references generations on delete cascade,
  epoch integer not null,
  seq_from integer not null,
  seq_to integer not null check (seq_to > seq_from),
  text text not null,
  primary key (generation_id, epoch, seq_from)
);

create table gateway_calls (
  id uuid primary key,
  generation_id uuid not null references generations,
  purpose text not null,
  model text not null,
  outcome text not null default 'open',
  http_status integer,
  prompt_tokens integer check (prompt_tokens >= 0),
  completion_tokens integer check (completion_tokens >= 0),
  cost_micros bigint check (cost_micros >= 0),
  upstream_id text,
  started_at timestamptz not null default app_now(),
  finished_at timestamptz,
  duration_ms integer
);
create index gateway_calls_of_generation on gateway_calls (generation_id);
create index gateway_calls_of_day on gateway_calls (started_at);

-- Credits: the ledger is the truth, users.credits its running balance.
create table credit_ledger (
  id bigint generated always as identity primary key,
  user_id uuid not null references users,
  delta integer not null,
  kind text not null check (kind in ('grant', 'hold', 'settle', 'release', 'refund', 'adjust')),
  generation_id uuid references generations,
  source text not null,
  external_id text not null,
  reason text not null default '',
  created_at timestamptz not null default app_now(),
  unique (source, external_id),
  check ((kind = 'hold') <= (delta <= 0 and generation_id is not null)),
  check ((kind = 'settle') <= (delta = 0 and generation_id is not null)),
  check ((kind in ('grant', 'release', 'refund')) <= (delta >= 0))
);
create index credit_ledger_of_user on credit_ledger (user_id, id desc);
create unique index credit_ledger_hold on credit_ledger (generation_id) where kind = 'hold';
create unique index credit_ledger_closing on credit_ledger (generation_id) where kind in ('settle', 'release', 'refund');

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only' using errcode = 'restrict_violation';
end $$;
create trigger credit_ledger_append_only before update or delete on credit_ledger
  for each row execute function refuse_change();
create trigger credit_ledger_no_truncate before truncate on credit_ledger
  for each statement execute function refuse_change();

-- Admission: locks the person, checks in the order of readings.md, debits if covered, writes run and hold.
-- A function, because each of its statements sees what other transactions committed while it waited for the lock.
create function admit_generation(
  p_id uuid, p_user uuid, p_feature text, p_price integer, p_key text, p_hash bytea, p_input jsonb,
  p_free boolean, p_counted boolean, p_starts_chat boolean, p_chats_per_day integer, p_running_at_once integer,
  p_fair_use integer, p_owner text, p_call uuid, p_model text
) returns table (verdict text, generation_id uuid, state text, credits integer, plan text) language plpgsql as $$
#variable_conflict use_column
declare
  v_credits integer;
  v_plan text;
  v_cost integer;
  v_found record;
begin
  select u.credits into v_credits from users u where u.id = p_user and u.deleted_at is null for update;
  if not found then return query select 'no_user', null::uuid, null::text, null::integer, null::text; return; end if;
  select e.plan into v_plan from entitlements e where e.user_id = p_user;
  select g.id, g.state, g.request_hash into v_found from generations g
    where g.user_id = p_user and g.idempotency_key = p_key;
  if found then
    return query select case when v_found.request_hash = p_hash then 'same' else 'key_reused' end,
      v_found.id, v_found.state, v_credits, v_plan;
    return;
  end if;
  if v_plan = 'free' and not p_free then
    return query select 'plan_required', null::uuid, null::text, v_credits, v_plan; return;
  end if;
  if v_plan = 'free' and p_starts_chat
     and (select count(*) from chat_sessions s where s.user_id = p_user and s.created_at >= app_day()) >= p_chats_per_day then
    return query select 'daily_chats', null::uuid, null::text, v_credits, v_plan; return;
  end if;
  if v_plan <> 'free' and p_counted and p_fair_use is not null
     and (select count(*) from generations g where g.user_id = p_user and g.feature = p_feature
            and g.created_at >= app_day()) >= p_fair_use then
    return query select 'daily_fair_use', null::uuid, null::text, v_credits, v_plan; return;
  end if;
  v_cost := case when v_plan = 'free' then p_price else 0 end;
  if v_credits < v_cost then
    return query select 'credits', null::uuid, null::text, v_credits, v_plan; return;
  end if;
  if p_counted and (select count(*) from generations g where g.user_id = p_user and g.counted
                      and g.state in ('queued', 'running')) >= p_running_at_once then
    return query select 'running', null::uuid, null::text, v_credits, v_plan; return;
  end if;
  if v_cost > 0 then update users set credits = users.credits - v_cost where users.id = p_user; end if;
  insert into generations (id, user_id, feature, state, started_at, counted, idempotency_key, request_hash, input, price, owner)
    values (p_id, p_user, p_feature, case when p_call is null then 'queued' else 'running' end,
            case when p_call is null then null else app_now() end, p_counted, p_key, p_hash, p_input, v_cost, p_owner);
  insert into credit_ledger (user_id, delta, kind, generation_id, source, external_id, reason)
    values (p_user, -v_cost, 'hold', p_id, 'hold', p_id::text, p_feature);
  -- Work that begins with a call to the gateway has its row from the start.
  if p_call is not null then
    insert into gateway_calls (id, generation_id, purpose, model) values (p_call, p_id, p_feature, p_model);
  end if;
  return query select 'admitted', p_id, case when p_call is null then 'queued' else 'running' end, v_credits - v_cost, v_plan;
end $$;

-- The terminal state and the closing entry are one statement; a writer whose epoch has passed closes nothing.
create function close_generation(
  p_id uuid, p_epoch integer, p_state text, p_keep boolean, p_text text, p_result jsonb, p_finish text,
  p_error_code text, p_error_message text
) returns table (user_id uuid, charged integer, credits integer) language plpgsql as $$
#variable_conflict use_column
declare
  v_user uuid;
  v_price integer;
begin
  update generations g set state = p_state, text = p_text, result = p_result, finish_reason = p_finish,
      error_code = p_error_code, error_message = p_error_message, finished_at = app_now(),
      credits_charged = case when p_keep then g.price else 0 end
    where g.id = p_id and g.epoch = p_epoch and g.state in ('queued', 'running')
    returning g.user_id, g.price into v_user, v_price;
  if not found then return; end if;
  insert into credit_ledger (user_id, delta, kind, generation_id, source, external_id, reason)
    select v_user, case when p_keep then 0 else v_price end, case when p_keep then 'settle' else 'release' end,
           p_id, case when p_keep then 'settle' else 'release' end, p_id::text, p_state;
  if not p_keep and v_price > 0 then update users set credits = users.credits + v_price where users.id = v_user; end if;
  delete from generation_chunks c where c.generation_id = p_id;
  update gateway_calls c set outcome = 'unsent', finished_at = app_now() where c.generation_id = p_id and c.outcome = 'open';
  return query select v_user, case when p_keep then v_price else 0 end, u.credits from users u where u.id = v_user;
end $$;

-- Chat
create table chat_sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  title text not null default 'New Conversation' check (length(title) <= 200),
  title_source text not null default 'default' check (title_source in ('default', 'model', 'user')),
  created_at timestamptz not null default app_now(),
  -- Milliseconds, as the cursor of the list has them.
  updated_at timestamptz(3) not null default app_now(),
  deleted_at timestamptz
);
create index chat_sessions_newest on chat_sessions (user_id, updated_at desc, id desc) where deleted_at is null;
create index chat_sessions_of_day on chat_sessions (user_id, created_at);

create table chat_messages (
  id uuid primary key,
  session_id uuid not null references chat_sessions on delete cascade,
  parent_id uuid references chat_messages on delete cascade,
  role text not null check (role in ('user', 'assistant')),
  content text not null default '',
  generation_id uuid unique references generations,
  created_at timestamptz not null default app_now(),
  -- Orders messages that one transaction wrote.
  position bigint generated always as identity,
  check ((role = 'assistant') = (generation_id is not null))
);
create index chat_messages_newest on chat_messages (session_id, position desc);
create index chat_messages_children on chat_messages (parent_id);

-- Question and reply of an admitted run, and the chat with its first message; part of the admission's statement. A
-- function, so that it sees the newest message after the admission has waited for the person's lock. For a repeated
-- key it answers what the first request wrote.
create function write_exchange(
  p_verdict text, p_generation uuid, p_user uuid, p_chat uuid, p_create boolean, p_message uuid, p_reply uuid,
  p_text text, p_parent uuid
) returns table (session_id uuid, title text, is_new boolean, message_id uuid, reply_id uuid) language plpgsql as $$
#variable_conflict use_column
declare
  v_title text;
  v_parent uuid := p_parent;
  v_made integer := 0;
begin
  if p_verdict = 'same' then
    return query select m.session_id, s.title, false, m.parent_id, m.id
      from chat_messages m join chat_sessions s on s.id = m.session_id where m.generation_id = p_generation;
    return;
  end if;
  if p_verdict <> 'admitted' then return; end if;
  if p_create then
    insert into chat_sessions (id, user_id) values (p_chat, p_user) on conflict (id) do nothing;
    get diagnostics v_made = row_count;
  end if;
  update chat_sessions s set updated_at = app_now()
    where s.id = p_chat and s.user_id = p_user and s.deleted_at is null returning s.title into v_title;
  if not found then raise exception 'no such chat' using errcode = 'no_data_found'; end if;
  if p_text is not null then
    if p_parent is null then
      select m.id into v_parent from chat_messages m where m.session_id = p_chat order by m.position desc limit 1;
    elsif not exists (select 1 from chat_messages m where m.id = p_parent and m.session_id = p_chat and m.role = 'assistant') then
      raise exception 'not a reply of this chat' using errcode = 'invalid_parameter_value';
    end if;
    insert into chat_messages (id, session_id, parent_id, role, content) values (p_message, p_chat, v_parent, 'user', p_text);
  end if;
  insert into chat_messages (id, session_id, parent_id, role, generation_id)
    values (p_reply, p_chat, p_message, 'assistant', p_generation);
  return query select p_chat, v_title, v_made = 1, p_message, p_reply;
end $$;
