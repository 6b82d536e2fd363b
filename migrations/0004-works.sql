-- A run may be asked for several units of its price (pictures); what was not delivered is given back at its end.
alter table generations add units integer not null default 1 check (units > 0);
alter table generations add check (price % units = 0);
alter table credit_ledger drop constraint credit_ledger_check1;
alter table credit_ledger add constraint credit_ledger_settle check ((kind = 'settle') <= (delta >= 0 and generation_id is not null));

drop function admit_generation(uuid, uuid, text, integer, text, bytea, jsonb, boolean, boolean, boolean, integer, integer, integer, text, uuid, text);

-- As before, and with units, which count against fair use.
create function admit_generation(
  p_id uuid, p_user uuid, p_feature text, p_price integer, p_units integer, p_key text, p_hash bytea, p_input jsonb,
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
     and p_units + (select coalesce(sum(g.units), 0) from generations g where g.user_id = p_user and g.feature = p_feature
                      and g.created_at >= app_day()) > p_fair_use then
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
  insert into generations (id, user_id, feature, state, started_at, counted, idempotency_key, request_hash, input, price, units, owner)
    values (p_id, p_user, p_feature, case when p_call is null then 'queued' else 'running' end,
            case when p_call is null then null else app_now() end, p_counted, p_key, p_hash, p_input, v_cost, p_units, p_owner);
  insert into credit_ledger (user_id, delta, kind, generation_id, source, external_id, reason)
    values (p_user, -v_cost, 'hold', p_id, 'hold', p_id::text, p_feature);
  -- Work that begins with a call to the gateway has its row from the start.
  if p_call is not null then
    insert into gateway_calls (id, generation_id, purpose, model) values (p_call, p_id, p_feature, p_model);
  end if;
  return query select 'admitted', p_id, case when p_call is null then 'queued' else 'running' end, v_credits - v_cost, v_plan;
end $$;

drop function close_generation(uuid, integer, text, boolean, text, jsonb, text, text, text);

-- As before, and charges `p_kept` of the run's units: none is a release, a part gives the rest back.
create function close_generation(
  p_id uuid, p_epoch integer, p_state text, p_kept integer, p_text text, p_result jsonb, p_finish text,
  p_error_code text, p_error_message text
) returns table (user_id uuid, charged integer, credits integer) language plpgsql as $$
#variable_conflict use_column
declare
  v_user uuid;
  v_price integer;
  v_charged integer;
begin
  update generations g set state = p_state, text = p_text, result = p_result, finish_reason = p_finish,
      error_code = p_error_code, error_message = p_error_message, finished_at = app_now(),
      credits_charged = g.price * least(p_kept, g.units) / g.units
    where g.id = p_id and g.epoch = p_epoch and g.state in ('queued', 'running')
    returning g.user_id, g.price, g.credits_charged into v_user, v_price, v_charged;
  if not found then return; end if;
  insert into credit_ledger (user_id, delta, kind, generation_id, source, external_id, reason)
    select v_user, v_price - v_charged, case when p_kept > 0 then 'settle' else 'release' end,
           p_id, case when p_kept > 0 then 'settle' else 'release' end, p_id::text, p_state;
  if v_price > v_charged then update users set credits = users.credits + v_price - v_charged where users.id = v_user; end if;
  delete from generation_chunks c where c.generation_id = p_id;
  update gateway_calls c set outcome = 'unsent', finished_at = app_now() where c.generation_id = p_id and c.outcome = 'open';
  return query select v_user, v_charged, u.credits from users u where u.id = v_user;
end $$;

-- What a person made with a tool that writes: one text, with everything that it was on its way. The newest version is
-- the text; nothing is overwritten but a version that is being edited.
create table works (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  feature text not null check (feature in ('writer', 'script')),
  title text not null check (length(title) <= 200),
  -- The owner's title is not replaced.
  named boolean not null default false,
  created_at timestamptz not null default app_now(),
  -- Milliseconds, as the cursor of the list has them.
  updated_at timestamptz(3) not null default app_now(),
  deleted_at timestamptz
);
create index works_newest on works (user_id, feature, updated_at desc, id desc) where deleted_at is null;
create index works_deleted on works (deleted_at) where deleted_at is not null;

create table work_versions (
  id uuid primary key,
  work_id uuid not null references works on delete cascade,
  kind text not null check (kind in ('generated', 'edited', 'refined', 'restored')),
  -- What it was asked for, in the tool's own words.
  settings jsonb not null default '{}',
  content text not null default '',
  words integer not null default 0 check (words >= 0),
  -- What is to be said of it: a length that was missed.
  note text,
  generation_id uuid unique references generations,
  -- Counts the saves of an edited version: a save that did not see the last one is refused.
  edition integer not null default 1,
  created_at timestamptz not null default app_now(),
  saved_at timestamptz not null default app_now(),
  -- Orders them; a run that has made a text is the newest from its end on.
  position bigint generated by default as identity,
  check ((kind = 'generated') = (generation_id is not null))
);
create index work_versions_newest on work_versions (work_id, position desc);

-- A part of a text that was written anew, until its owner takes it or not.
create table work_proposals (
  id uuid primary key,
  work_id uuid not null references works on delete cascade,
  version_id uuid not null references work_versions on delete cascade,
  generation_id uuid not null unique references generations,
  request jsonb not null,
  content text not null default '',
  decision text check (decision in ('accepted', 'discarded')),
  created_at timestamptz not null default app_now(),
  position bigint generated always as identity
);
create index work_proposals_of_work on work_proposals (work_id, position desc);
create index work_proposals_of_version on work_proposals (version_id);

-- Work and version of an admitted run, part of the admission's statement. For a repeated key it answers what the first
-- request wrote. Without a title the work must exist.
create function write_version(
  p_verdict text, p_generation uuid, p_user uuid, p_feature text, p_work uuid, p_title text, p_version uuid, p_settings jsonb
) returns table (work_id uuid, version_id uuid) language plpgsql as $$
#variable_conflict use_column
begin
  if p_verdict = 'same' then
    return query select v.work_id, v.id from work_versions v where v.generation_id = p_generation;
    return;
  end if;
  if p_verdict <> 'admitted' then return; end if;
  if p_title is not null then
    insert into works (id, user_id, feature, title) values (p_work, p_user, p_feature, p_title);
  end if;
  update works w set updated_at = app_now()
   where w.id = p_work and w.user_id = p_user and w.feature = p_feature and w.deleted_at is null;
  if not found then raise exception 'no such work' using errcode = 'no_data_found'; end if;
  insert into work_versions (id, work_id, kind, settings, generation_id)
    values (p_version, p_work, 'generated', p_settings, p_generation);
  return query select p_work, p_version;
end $$;

-- The same for a proposal.
create function write_proposal(
  p_verdict text, p_generation uuid, p_user uuid, p_work uuid, p_version uuid, p_proposal uuid, p_request jsonb
) returns table (work_id uuid, proposal_id uuid) language plpgsql as $$
#variable_conflict use_column
begin
  if p_verdict = 'same' then
    return query select p.work_id, p.id from work_proposals p where p.generation_id = p_generation;
    return;
  end if;
  if p_verdict <> 'admitted' then return; end if;
  insert into work_proposals (id, work_id, version_id, generation_id, request)
    select p_proposal, w.id, v.id, p_generation, p_request
      from works w join work_versions v on v.work_id = w.id
     where w.id = p_work and w.user_id = p_user and w.deleted_at is null and v.id = p_version;
  if not found then raise exception 'no such version' using errcode = 'no_data_found'; end if;
  return query select p_work, p_proposal;
end $$;
