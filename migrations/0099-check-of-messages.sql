-- As 0094.
create function is_valid_message(role text, copied boolean, generation_id uuid, left_out integer, taken_over integer)
returns boolean language plpgsql immutable parallel safe as $$
begin
  return role in ('user', 'assistant')
    and (role = 'assistant' and not copied) = (generation_id is not null)
    and left_out >= 0
    and taken_over >= 0;
end $$;
alter table chat_messages
  drop constraint chat_messages_role_check,
  drop constraint chat_messages_check,
  drop constraint chat_messages_left_out_check,
  drop constraint chat_messages_taken_over_check,
  add constraint chat_messages_check check (is_valid_message(role, copied, generation_id, left_out, taken_over)) not valid;
