-- Which of the operator's models a person chose: for a chat, and last of all. Null: the operator's first.
alter table chat_sessions add column model text check (length(model) <= 200);
alter table users add column chat_model text check (length(chat_model) <= 200);

-- Called in the statement that starts a reply: the chat keeps the model that the page showed.
create function keep_chat_model(p_admitted boolean, p_chat uuid, p_model text) returns text language plpgsql as $$
begin
  if p_admitted then
    update chat_sessions set model = p_model where id = p_chat and model is distinct from p_model;
  end if;
  return p_model;
end $$;
