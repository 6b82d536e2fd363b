-- A refund or dispute may come before its payment: the event waits for it by the provider's id of the payment.
alter table billing_events add column awaits_payment text;
create index billing_events_awaiting on billing_events (provider, awaits_payment) where awaits_payment is not null;
update billing_events
   set awaits_payment = coalesce(payload #>> '{object,transaction,id}', payload #>> '{object,transaction}',
                                 payload #>> '{data,transaction,id}', payload #>> '{data,transaction}')
 where outcome = 'ignored' and reason = 'unmatched' and type in ('refund.created', 'dispute.created');

-- The provider's time of the event that told the state; what a refund comes to beyond the rest of its payment, which
-- counts for nothing; and whether the provider took it back after it was made.
alter table refunds
  add column told_at timestamptz,
  add column excess_cents integer not null default 0,
  add column reversed boolean not null default false,
  add constraint refunds_excess check (excess_cents between 0 and amount_cents);
-- A refund that was stored before with more than its payment.
update refunds r set excess_cents = greatest(0, least(r.amount_cents, s.upto - s.paid))
  from (select r.id, p.amount_cents as paid,
               sum(r.amount_cents) over (partition by r.payment_id order by r.created_at, r.id) as upto
          from refunds r join payments p on p.id = r.payment_id where r.state = 'succeeded') s
 where s.id = r.id and s.upto > s.paid;
