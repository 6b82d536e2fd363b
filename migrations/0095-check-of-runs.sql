-- As 0094.
create function is_valid_generation(
  state text, finished_at timestamptz, price integer, units integer, credits_charged integer, finish_reason text,
  idempotency_key text
) returns boolean language plpgsql immutable parallel safe as $$
begin
  return state in ('queued', 'running', 'done', 'stopped', 'failed', 'interrupted')
    and (state in ('queued', 'running')) = (finished_at is null)
    and price >= 0
    and units > 0
    and price % units = 0
    and credits_charged >= 0
    and finish_reason in ('stop', 'length', 'filtered', 'incomplete')
    and length(idempotency_key) <= 200;
end $$;
alter table generations
  drop constraint generations_state_check,
  drop constraint generations_check,
  drop constraint generations_price_check,
  drop constraint generations_units_check,
  drop constraint generations_check1,
  drop constraint generations_credits_charged_check,
  drop constraint generations_finish_reason_check,
  drop constraint generations_idempotency_key_check,
  add constraint generations_check check (
    is_valid_generation(state, finished_at, price, units, credits_charged, finish_reason, idempotency_key)
  ) not valid;
