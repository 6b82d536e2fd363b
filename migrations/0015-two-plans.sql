-- A checkout that was open when its person paid by another one. Creem has no call that ends a checkout, so it can still
-- be paid there: it is looked up like every open one, and given to nobody again.
alter table checkouts add column retired_at timestamptz;

-- More mails about money: two plans that renew, a plan that goes on, one that is over, a disputed payment.
alter table billing_mails drop constraint billing_mails_kind_check;
alter table billing_mails add constraint billing_mails_kind_check check (kind in
  ('receipt', 'payment_failed', 'cancelled', 'refund', 'two_plans', 'resumed', 'ended', 'disputed'));
