-- As 0094.
create function is_valid_ledger_entry(kind text, delta integer, generation_id uuid, grant_id bigint)
returns boolean language plpgsql immutable parallel safe as $$
begin
  return kind in ('grant', 'hold', 'settle', 'release', 'refund', 'adjust')
    and (kind = 'hold') <= (delta <= 0 and generation_id is not null)
    and (kind = 'settle') <= (delta >= 0 and generation_id is not null)
    and (kind in ('grant', 'release', 'refund')) <= (delta >= 0)
    and (grant_id is null or kind = 'adjust');
end $$;
alter table credit_ledger
  drop constraint credit_ledger_kind_check,
  drop constraint credit_ledger_check,
  drop constraint credit_ledger_settle,
  drop constraint credit_ledger_check2,
  drop constraint credit_ledger_taken_back,
  add constraint credit_ledger_check check (is_valid_ledger_entry(kind, delta, generation_id, grant_id)) not valid;
