-- As before, but each count is asked for in a condition of its own. In one condition with what decides whether it is needed,
-- PostgreSQL planned it anew at each admission that did not need it: with those values, nothing was left to do.
create or replace function admit_generation(
  p_id uuid, p_user uuid, p_feature text, p_price integer, p_units integer, p_key text, p_hash bytea, p_input jsonb,
  p_free boolean, p_counted boolean, p_starts_chat boolean, p_chats_per_day integer, p_running_at_once integer,
  p_fair_use integer, p_released_hour integer, p_released_day integer, p_owner text, p_call uuid, p_model text
) returns table (verdict text, generation_id uuid, state text, credits integer, plan text) language plpgsql as $$
#variable_conflict use_column
declare
  v_credits integer;
  v_plan text;
  v_cost integer;
  v_found record;
  v_left bigint := p_running_at_once;
begin
  select u.credits into v_credits from users u where u.id = p_user and u.deleted_at is null and u.banned_at is null for update;
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
  if v_plan = 'free' and p_starts_chat then
    if (select count(*) from chat_sessions s where s.user_id = p_user and s.created_at >= app_day() and not s.imported)
       >= p_chats_per_day then
      return query select 'daily_chats', null::uuid, null::text, v_credits, v_plan; return;
    end if;
  end if;
  if (v_plan <> 'free' or p_price = 0) and p_counted and p_fair_use is not null then
    if p_units + (select coalesce(sum(g.units), 0) from generations g where g.user_id = p_user and g.feature = p_feature
                    and g.created_at >= app_day()) > p_fair_use then
      return query select 'daily_fair_use', null::uuid, null::text, v_credits, v_plan; return;
    end if;
  end if;
  if p_counted then
    select least(v_left, p_released_hour - count(*) filter (where g.finished_at > app_now() - interval '1 hour'),
                 p_released_day - count(*) filter (where g.finished_at >= app_day()))
      into v_left from generations g
      where g.user_id = p_user and g.released and g.finished_at > least(app_now() - interval '1 hour', app_day() - interval '1 second');
    if v_left <= 0 then
      return query select 'released', null::uuid, null::text, v_credits, v_plan; return;
    end if;
  end if;
  v_cost := case when v_plan = 'free' then p_price else 0 end;
  if v_credits < v_cost then
    return query select 'credits', null::uuid, null::text, v_credits, v_plan; return;
  end if;
  if p_counted then
    if (select count(*) from generations g where g.user_id = p_user and g.counted and g.state in ('queued', 'running'))
       >= v_left then
      return query select 'running', null::uuid, null::text, v_credits, v_plan; return;
    end if;
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
