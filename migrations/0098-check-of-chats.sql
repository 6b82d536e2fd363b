-- As 0094.
create function is_valid_chat(title text, title_source text, model text, compared_model text)
returns boolean language plpgsql immutable parallel safe as $$
begin
  return length(title) <= 200
    and title_source in ('default', 'model', 'user')
    and length(model) <= 200
    and length(compared_model) <= 200;
end $$;
alter table chat_sessions
  drop constraint chat_sessions_title_check,
  drop constraint chat_sessions_title_source_check,
  drop constraint chat_sessions_model_check,
  drop constraint chat_sessions_compared_model_check,
  add constraint chat_sessions_check check (is_valid_chat(title, title_source, model, compared_model)) not valid;
