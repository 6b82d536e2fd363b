-- What a refund takes back of a grant names it, so that what is left of each grant follows from the ledger.
alter table credit_ledger add column grant_id bigint references credit_ledger;
alter table credit_ledger add constraint credit_ledger_taken_back check (grant_id is null or kind = 'adjust') not valid;
create index credit_ledger_of_grant on credit_ledger (grant_id) where grant_id is not null;

-- Credits are used in the order in which they came, and what a run gives back returns to those used last: so a balance is
-- made of the newest grants, and of one is unused what the balance holds beyond all that came later.
create view purchased_credits as
  select b.grant_id, b.user_id, b.external_id, b.bought, b.taken,
         greatest(0, least(b.bought - b.taken, u.credits - coalesce((
           select sum(l.delta) from credit_ledger l
            where l.user_id = b.user_id and ((l.kind = 'grant' and l.id > b.grant_id) or l.grant_id > b.grant_id)), 0)))::int as unused
    from (select l.id as grant_id, l.user_id, l.external_id, l.delta as bought,
                 coalesce((select -sum(t.delta) from credit_ledger t where t.grant_id = l.id), 0)::int as taken
            from credit_ledger l where l.source = 'purchase') b
    join users u on u.id = b.user_id;
