-- Stores how a gateway call ended: a statement of its own, or part of the one that closes its run.
create function end_gateway_call(
  p_id uuid, p_outcome text, p_http_status integer, p_prompt_tokens integer, p_completion_tokens integer,
  p_cost_micros bigint, p_cost_estimated boolean, p_upstream_id text, p_answered_by text, p_duration_ms integer
) returns void language plpgsql as $$
begin
  update gateway_calls
     set outcome = p_outcome, http_status = p_http_status, prompt_tokens = p_prompt_tokens,
         completion_tokens = p_completion_tokens, cost_micros = p_cost_micros, cost_estimated = p_cost_estimated,
         upstream_id = p_upstream_id, answered_by = p_answered_by, finished_at = app_now(), duration_ms = p_duration_ms
   where id = p_id;
end $$;
