-- As 0094.
create function is_valid_gateway_call(
  prompt_tokens integer, completion_tokens integer, cost_micros bigint, answered_by text
) returns boolean language plpgsql immutable parallel safe as $$
begin
  return prompt_tokens >= 0
    and completion_tokens >= 0
    and cost_micros >= 0
    and length(answered_by) <= 200;
end $$;
alter table gateway_calls
  drop constraint gateway_calls_prompt_tokens_check,
  drop constraint gateway_calls_completion_tokens_check,
  drop constraint gateway_calls_cost_micros_check,
  drop constraint gateway_calls_answered_by_check,
  add constraint gateway_calls_check check (
    is_valid_gateway_call(prompt_tokens, completion_tokens, cost_micros, answered_by)
  ) not valid;
