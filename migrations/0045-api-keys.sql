-- Keys by which programs of a person call /v1. A key is told once: what is kept is the SHA-256 of its 256 random bits.
create table api_keys (
  id uuid primary key,
  user_id uuid not null references users (id),
  name text not null check (length(name) between 1 and 60),
  hash bytea not null unique check (octet_length(hash) = 32),
  last_four text not null check (length(last_four) = 4),
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['chat', 'images']),
  -- Credits a UTC month; null for none.
  ceiling integer check (ceiling > 0),
  -- The last UTC day on which it works; null for ever.
  ends_on date,
  created_at timestamptz not null default app_now(),
  used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_of_user on api_keys (user_id, created_at);

-- The runs that a key began. `credits`: by the table of prices, also where the plan was charged nothing.
create table api_key_runs (
  generation_id uuid primary key references generations (id),
  api_key_id uuid not null references api_keys (id),
  credits integer not null check (credits >= 0),
  created_at timestamptz not null default app_now()
);
create index api_key_runs_of_key on api_key_runs (api_key_id, created_at);

-- What each of them counts against the ceiling: all of it while it runs, then what was kept.
create view api_key_usage as
  select r.api_key_id, r.generation_id, r.created_at,
         case when g.finished_at is null then r.credits
              when g.price > 0 then g.credits_charged
              when g.state = 'done' or (g.state = 'stopped' and not g.released) then r.credits
              else 0 end as credits
    from api_key_runs r join generations g on g.id = r.generation_id;

-- admit_generation for a run that a key begins. The person's row is locked first, so that runs at the same moment
-- are counted; a run that is known already is answered whatever became of its key.
create function admit_generation_by_key(
  p_key_id uuid, p_scope text, p_worth integer,
  p_id uuid, p_user uuid, p_feature text, p_price integer, p_units integer, p_key text, p_hash bytea, p_input jsonb,
  p_free boolean, p_counted boolean, p_starts_chat boolean, p_chats_per_day integer, p_running_at_once integer,
  p_fair_use integer, p_released_hour integer, p_released_day integer, p_owner text, p_call uuid, p_model text
) returns table (verdict text, generation_id uuid, state text, credits integer, plan text) language plpgsql as $$
#variable_conflict use_column
declare
  v_key record;
  v_used bigint;
  v_answer record;
begin
  perform 1 from users u where u.id = p_user for update;
  if not exists (select 1 from generations g where g.user_id = p_user and g.idempotency_key = p_key) then
    select k.ceiling into v_key from api_keys k
     where k.id = p_key_id and k.user_id = p_user and k.revoked_at is null and p_scope = any (k.scopes)
       and (k.ends_on is null or k.ends_on >= (app_day() at time zone 'UTC')::date);
    if not found then return query select 'no_key', null::uuid, null::text, null::integer, null::text; return; end if;
    if v_key.ceiling is not null then
      select coalesce(sum(s.credits), 0) into v_used from api_key_usage s
       where s.api_key_id = p_key_id and s.created_at >= date_trunc('month', app_now(), 'UTC');
      if v_used + p_worth > v_key.ceiling then
        return query select 'key_ceiling', null::uuid, null::text, null::integer, null::text; return;
      end if;
    end if;
  end if;
  select * into v_answer from admit_generation(
    p_id, p_user, p_feature, p_price, p_units, p_key, p_hash, p_input, p_free, p_counted, p_starts_chat, p_chats_per_day,
    p_running_at_once, p_fair_use, p_released_hour, p_released_day, p_owner, p_call, p_model);
  if v_answer.verdict = 'admitted' then
    insert into api_key_runs (generation_id, api_key_id, credits) values (p_id, p_key_id, p_worth);
    update api_keys set used_at = app_now() where id = p_key_id;
  end if;
  return query select v_answer.verdict, v_answer.generation_id, v_answer.state, v_answer.credits, v_answer.plan;
end $$;
