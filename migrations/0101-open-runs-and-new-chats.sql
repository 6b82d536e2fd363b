-- PostgreSQL counts a function's rows as 1,000 unless told; these return one at most. With 1,000, the end of a reply read
-- all chats of the site where it knew the table only as it was when small.
alter function admit_generation(uuid, uuid, text, integer, integer, text, bytea, jsonb, boolean, boolean, boolean, integer, integer, integer, integer, integer, text, uuid, text) rows 1;
alter function admit_generation_by_key rows 1;

-- Analyzed while no run is open, which is usual, both indexes of open runs count as empty and cost nothing, whatever they
-- hold later. So this one, by process, was read whole to find one run by its id or one person's open runs. Those of a
-- process are found by reading the other one, by person.
drop index generations_open;

-- As before, but the run is found by its id: `finished_at is null` says the same as its states, and no index has it.
create or replace function close_generation(
  p_id uuid, p_epoch integer, p_state text, p_kept integer, p_text text, p_result jsonb, p_finish text,
  p_error_code text, p_error_message text, p_released boolean
) returns table (user_id uuid, charged integer, credits integer) language plpgsql rows 1 as $$
#variable_conflict use_column
declare
  v_user uuid;
  v_price integer;
  v_charged integer;
begin
  update generations g set state = p_state, text = p_text, result = p_result, finish_reason = p_finish,
      error_code = p_error_code, error_message = p_error_message, finished_at = app_now(), released = p_released and g.counted,
      credits_charged = g.price * least(p_kept, g.units) / g.units
    where g.id = p_id and g.epoch = p_epoch and g.finished_at is null
    returning g.user_id, g.price, g.credits_charged into v_user, v_price, v_charged;
  if not found then return; end if;
  insert into credit_ledger (user_id, delta, kind, generation_id, source, external_id, reason)
    select v_user, v_price - v_charged, case when p_kept > 0 then 'settle' else 'release' end,
           p_id, case when p_kept > 0 then 'settle' else 'release' end, p_id::text, p_state;
  if v_price > v_charged then update users set credits = users.credits + v_price - v_charged where users.id = v_user; end if;
  delete from generation_chunks c where c.generation_id = p_id;
  update gateway_calls c set outcome = 'unsent', cost_micros = coalesce(c.cost_micros, 0), finished_at = app_now() where c.generation_id = p_id and c.outcome = 'open';
  return query select v_user, v_charged, u.credits from users u where u.id = v_user;
end $$;

-- As before, but a new chat gets its title as it is made, and question and reply are one statement.
create or replace function write_exchange(
  p_verdict text, p_generation uuid, p_user uuid, p_chat uuid, p_create text, p_message uuid, p_reply uuid,
  p_text text, p_parent uuid, p_replaces uuid, p_attachment uuid, p_continues uuid, p_taken_over integer
) returns table (session_id uuid, title text, is_new boolean, message_id uuid, content text, reply_id uuid)
language plpgsql rows 1 as $$
#variable_conflict use_column
declare
  v_title text;
  v_tip uuid;
  v_parent uuid := p_parent;
  v_new boolean := false;
begin
  if p_verdict = 'same' then
    return query select r.session_id, s.title, false, q.id, q.content, r.id
      from chat_messages r join chat_messages q on q.id = r.parent_id join chat_sessions s on s.id = r.session_id
     where r.generation_id = p_generation;
    return;
  end if;
  if p_verdict <> 'admitted' then return; end if;
  if p_create is not null then
    insert into chat_sessions as s (id, user_id, assistant, title)
      values (p_chat, p_user, p_create, coalesce(nullif(first_words(p_text), ''), 'New Conversation'))
      on conflict (id) do nothing returning s.title into v_title;
    v_new := found;
  end if;
  if not v_new then
    update chat_sessions s set updated_at = app_now(), tip_id = null,
           title = case when s.title_source = 'default' and s.title = 'New Conversation'
                        then coalesce(nullif(first_words(p_text), ''), s.title) else s.title end
      from (select id, tip_id from chat_sessions
             where id = p_chat and user_id = p_user and deleted_at is null for update) as was
     where s.id = was.id returning s.title, was.tip_id into v_title, v_tip;
    if not found then raise exception 'no such chat' using errcode = 'no_data_found'; end if;
  end if;
  if p_text is null then
    insert into chat_messages (id, session_id, parent_id, role, generation_id, content, taken_over)
      select p_reply, p_chat, p_message, 'assistant', p_generation, coalesce(c.content, ''), p_taken_over
        from (select) as reply left join chat_messages c on c.id = p_continues and c.parent_id = p_message;
    return query select p_chat, v_title, v_new, q.id, q.content, p_reply from chat_messages q where q.id = p_message;
    return;
  end if;
  if p_replaces is not null then
    select m.parent_id into v_parent from chat_messages m
     where m.id = p_replaces and m.session_id = p_chat and m.role = 'user';
    if not found then raise exception 'not a message of this chat' using errcode = 'invalid_parameter_value'; end if;
  elsif p_parent is not null then
    if not exists (select 1 from chat_messages m where m.id = p_parent and m.session_id = p_chat and m.role = 'assistant') then
      raise exception 'not a reply of this chat' using errcode = 'invalid_parameter_value';
    end if;
  elsif not v_new then
    v_parent := branch_end(p_chat, v_tip);
  end if;
  if p_attachment is not null then
    if not exists (select 1 from attachments a where a.id = p_attachment and a.user_id = p_user) then
      raise exception 'no such attachment' using errcode = 'foreign_key_violation';
    end if;
  end if;
  insert into chat_messages (id, session_id, parent_id, role, generation_id, content, taken_over, attachment_id)
    values (p_message, p_chat, v_parent, 'user', null, p_text, 0, p_attachment),
           (p_reply, p_chat, p_message, 'assistant', p_generation, '', p_taken_over, null);
  return query select p_chat, v_title, v_new, p_message, p_text, p_reply;
end $$;
