-- Paid plans. The provider's truth is kept as facts (subscriptions, payments, refunds); what a person may do follows
-- from them at read, by the view at the end.

-- A checkout made for a person; its id goes to the provider as request_id and comes back in metadata. The person and
-- the plan of a payment are taken from here, never from an address or a mail.
create table checkouts (
  id uuid primary key,
  user_id uuid not null references users,
  plan text not null check (plan in ('monthly', 'quarterly', 'yearly')),
  product_id text not null,
  provider text not null,
  external_id text,
  url text,
  state text not null default 'open' check (state in ('open', 'completed', 'expired', 'failed')),
  created_at timestamptz not null default app_now(),
  closed_at timestamptz,
  unique (provider, external_id)
);
create index checkouts_of_user on checkouts (user_id, created_at desc);
create index checkouts_open on checkouts (created_at) where state = 'open';

create table subscriptions (
  id uuid primary key,
  user_id uuid not null references users,
  checkout_id uuid references checkouts,
  provider text not null,
  external_id text not null,
  customer_id text not null,
  product_id text not null,
  plan text not null check (plan in ('monthly', 'quarterly', 'yearly')),
  -- The provider's word.
  status text not null,
  period_start timestamptz,
  period_end timestamptz,
  canceled_at timestamptz,
  -- The provider's time of the newest state that was applied; never goes back (I11).
  version_at timestamptz not null,
  -- Until when the facts give Pro, grace included; null: not at all. Kept by the reducer with every fact.
  access_until timestamptz,
  reconciled_at timestamptz,
  created_at timestamptz not null default app_now(),
  unique (provider, external_id)
);
create index subscriptions_of_user on subscriptions (user_id, created_at desc);
create index subscriptions_of_customer on subscriptions (customer_id);
create function subscription_goes_forward() returns trigger language plpgsql as $$
begin
  if new.version_at < old.version_at then
    raise exception 'a subscription cannot go back to an earlier version';
  end if;
  return new;
end $$;
create trigger subscriptions_forward before update on subscriptions
  for each row execute function subscription_goes_forward();

create table payments (
  id uuid primary key,
  subscription_id uuid not null references subscriptions,
  user_id uuid not null references users,
  provider text not null,
  external_id text not null,
  plan text not null check (plan in ('monthly', 'quarterly', 'yearly')),
  amount_cents integer not null check (amount_cents >= 0),
  currency text not null,
  refunded_cents integer not null default 0 check (refunded_cents >= 0 and refunded_cents <= amount_cents),
  disputed boolean not null default false,
  period_start timestamptz not null,
  period_end timestamptz not null,
  paid_at timestamptz not null,
  created_at timestamptz not null default app_now(),
  unique (provider, external_id)
);
create index payments_of_user on payments (user_id, paid_at desc);
create index payments_of_subscription on payments (subscription_id, period_start desc);

-- A refund: asked for by us (the row is written before the provider is called), or told of by the provider.
create table refunds (
  id uuid primary key,
  payment_id uuid not null references payments,
  external_id text unique,
  amount_cents integer not null check (amount_cents > 0),
  state text not null check (state in ('asked', 'pending', 'succeeded', 'failed')),
  -- person (money back), operator, or provider.
  asked_by text not null check (asked_by in ('person', 'operator', 'provider')),
  reason text not null default '',
  created_at timestamptz not null default app_now(),
  settled_at timestamptz
);
create index refunds_of_payment on refunds (payment_id);
-- One full refund of ours at a time, however often the button is pressed.
create unique index refunds_ours on refunds (payment_id) where asked_by <> 'provider' and state <> 'failed';

-- The inbox of webhooks: each delivery is a row, an event is applied once.
create table billing_events (
  id bigint generated always as identity primary key,
  provider text not null,
  event_id text not null,
  type text not null,
  occurred_at timestamptz not null,
  -- The event as it came; emptied when its person is erased.
  payload jsonb,
  outcome text not null default 'received' check (outcome in ('received', 'applied', 'ignored', 'failed')),
  reason text not null default '',
  attempts integer not null default 0,
  next_try_at timestamptz,
  user_id uuid references users,
  subscription_id uuid references subscriptions,
  created_at timestamptz not null default app_now(),
  handled_at timestamptz
);
create unique index billing_events_once on billing_events (provider, event_id) where reason <> 'duplicate';
create index billing_events_open on billing_events (next_try_at) where outcome in ('received', 'failed');
create index billing_events_of_user on billing_events (user_id, id desc);
create index billing_events_of_subscription on billing_events (subscription_id);

-- Why a plan changed (I9): a webhook, a reconciling read, the clock, or the operator; never an address of ours.
create table plan_changes (
  id bigint generated always as identity primary key,
  user_id uuid not null references users,
  from_plan text not null,
  to_plan text not null,
  cause text not null check (cause in ('event', 'reconcile', 'clock', 'operator')),
  cause_id text not null default '',
  created_at timestamptz not null default app_now()
);
create index plan_changes_of_user on plan_changes (user_id, id desc);

-- Mails about money, written with the fact that they tell of and sent by a job; one for each key.
create table billing_mails (
  key text primary key,
  user_id uuid not null references users,
  kind text not null check (kind in ('receipt', 'payment_failed', 'cancelled', 'refund')),
  facts jsonb not null,
  attempts integer not null default 0,
  next_try_at timestamptz not null default app_now(),
  created_at timestamptz not null default app_now(),
  sent_at timestamptz
);
create index billing_mails_open on billing_mails (next_try_at) where sent_at is null;

-- What the operator did by `npm run billing`.
create table operator_actions (
  id bigint generated always as identity primary key,
  operator text not null,
  action text not null,
  user_id uuid references users,
  reason text not null default '',
  details jsonb not null default '{}',
  created_at timestamptz not null default app_now()
);
create index operator_actions_of_user on operator_actions (user_id, id desc);

-- What a subscription is in the words of the pages; one that never gave Pro is in no state.
create view subscription_states as
  select s.id as subscription_id, s.user_id, s.created_at, p.id as payment_id,
         case when p.disputed then 'disputed'
              when p.amount_cents > 0 and p.refunded_cents = p.amount_cents then 'refunded'
              when s.status = 'paused' then 'paused'
              when s.access_until is null or s.access_until <= app_now() then 'expired'
              when s.status in ('scheduled_cancel', 'canceled') then 'cancelled'
              when p.id is null then 'trialing'
              when s.status in ('past_due', 'unpaid') or p.period_end <= app_now() then 'past_due'
              else 'active' end as state
    from subscriptions s
    left join lateral (select * from payments where subscription_id = s.id
                        order by period_start desc, paid_at desc, external_id limit 1) p on true
   where p.id is not null or s.access_until is not null;

-- Business is a dated grant; Pro is one too, or what the payments of a subscription give (readings.md).
create or replace view entitlements as
  select u.id as user_id,
         coalesce((select case when bool_or(h.plan = 'business') then 'business' else 'pro' end
                     from (select g.plan from plan_grants g
                            where g.user_id = u.id and g.starts_at <= app_now()
                              and (g.ends_at is null or g.ends_at > app_now())
                           union all
                           select 'pro' from subscriptions s
                            where s.user_id = u.id and s.access_until > app_now()) h
                   having count(*) > 0), 'free') as plan
    from users u;

-- Brings the cache users.plan to the entitlement of now and notes why it changed; all people when p_user is null.
create function refresh_plans(p_user uuid, p_cause text, p_cause_id text) returns integer language sql as $$
  with moved as (
    update users u set plan = e.plan
      from entitlements e join users o on o.id = e.user_id
     where e.user_id = u.id and u.plan <> e.plan and (p_user is null or u.id = p_user)
    returning u.id, o.plan as from_plan, u.plan as to_plan),
  noted as (
    insert into plan_changes (user_id, from_plan, to_plan, cause, cause_id)
    select id, from_plan, to_plan, p_cause, p_cause_id from moved returning 1)
  select count(*)::int from noted $$;
