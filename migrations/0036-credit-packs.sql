-- A checkout and a payment are of a plan, or of a pack: credits that are bought once.
alter table checkouts
  alter column plan drop not null,
  add column credits integer check (credits > 0),
  add constraint checkouts_of check (num_nonnulls(plan, credits) = 1);

alter table payments
  alter column subscription_id drop not null,
  alter column plan drop not null,
  alter column period_start drop not null,
  alter column period_end drop not null,
  add column checkout_id uuid references checkouts,
  add column order_id text,
  add column credits integer check (credits > 0),
  add column reconciled_at timestamptz,
  -- What a refund or a dispute takes back, as far as it is unused.
  add column credits_due integer generated always as (
    case when credits is null then null
         when disputed then credits
         when amount_cents = 0 then 0
         else (credits::bigint * refunded_cents / amount_cents)::integer end) stored,
  add constraint payments_of check (
    case when subscription_id is null then num_nonnulls(checkout_id, order_id, credits) = 3
         else num_nonnulls(plan, period_start, period_end) = 3 and credits is null end);
create unique index payments_of_order on payments (provider, order_id) where order_id is not null;
create unique index payments_of_checkout on payments (checkout_id) where checkout_id is not null;

alter table billing_mails drop constraint billing_mails_kind_check;
alter table billing_mails add constraint billing_mails_kind_check check (kind in
  ('receipt', 'payment_failed', 'cancelled', 'refund', 'two_plans', 'resumed', 'ended', 'disputed',
   'credits_receipt', 'credits_refund', 'credits_disputed'));
