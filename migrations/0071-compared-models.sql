-- The second model that answers in a chat beside the one that was chosen. Null: none.
alter table chat_sessions add column compared_model text check (length(compared_model) <= 200);

-- As the function of three parameters, with the second model too.
create function keep_chat_model(p_admitted boolean, p_chat uuid, p_model text, p_compared text) returns text
language plpgsql as $$
begin
  if p_admitted then
    update chat_sessions set model = p_model, compared_model = p_compared
     where id = p_chat and (model is distinct from p_model or compared_model is distinct from p_compared);
  end if;
  return p_model;
end $$;
