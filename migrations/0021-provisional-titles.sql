-- A chat is called by the first words of its first question until the model, or its owner, gives it a title: a chat
-- whose first reply failed has a name too. title_source stays 'default' until then.
create function first_words(p_text text) returns text language sql immutable as $$
  with line as (select btrim(regexp_replace(left(p_text, 400), '\s+', ' ', 'g')) as words)
  select case when length(words) <= 48 then words
              else coalesce(substring(left(words, 48) from '^(.{16,}) '), left(words, 47)) || '…' end
    from line
$$;

create or replace function write_exchange(
  p_verdict text, p_generation uuid, p_user uuid, p_chat uuid, p_create text, p_message uuid, p_reply uuid,
  p_text text, p_parent uuid, p_replaces uuid, p_attachment uuid, p_continues uuid, p_taken_over integer
) returns table (session_id uuid, title text, is_new boolean, message_id uuid, content text, reply_id uuid)
language plpgsql as $$
#variable_conflict use_column
declare
  v_title text;
  v_tip uuid;
  v_parent uuid := p_parent;
  v_made integer := 0;
begin
  if p_verdict = 'same' then
    return query select r.session_id, s.title, false, q.id, q.content, r.id
      from chat_messages r join chat_messages q on q.id = r.parent_id join chat_sessions s on s.id = r.session_id
     where r.generation_id = p_generation;
    return;
  end if;
  if p_verdict <> 'admitted' then return; end if;
  if p_create is not null then
    insert into chat_sessions (id, user_id, assistant) values (p_chat, p_user, p_create) on conflict (id) do nothing;
    get diagnostics v_made = row_count;
  end if;
  update chat_sessions s set updated_at = app_now(), tip_id = null,
         title = case when s.title_source = 'default' and s.title = 'New Conversation'
                      then coalesce(nullif(first_words(p_text), ''), s.title) else s.title end
    from (select id, tip_id from chat_sessions
           where id = p_chat and user_id = p_user and deleted_at is null for update) as was
   where s.id = was.id returning s.title, was.tip_id into v_title, v_tip;
  if not found then raise exception 'no such chat' using errcode = 'no_data_found'; end if;
  if p_text is not null then
    if p_replaces is not null then
      select m.parent_id into v_parent from chat_messages m
       where m.id = p_replaces and m.session_id = p_chat and m.role = 'user';
      if not found then raise exception 'not a message of this chat' using errcode = 'invalid_parameter_value'; end if;
    elsif p_parent is null then
      v_parent := branch_end(p_chat, v_tip);
    elsif not exists (select 1 from chat_messages m where m.id = p_parent and m.session_id = p_chat and m.role = 'assistant') then
      raise exception 'not a reply of this chat' using errcode = 'invalid_parameter_value';
    end if;
    if p_attachment is not null
       and not exists (select 1 from attachments a where a.id = p_attachment and a.user_id = p_user) then
      raise exception 'no such attachment' using errcode = 'foreign_key_violation';
    end if;
    insert into chat_messages (id, session_id, parent_id, role, content, attachment_id)
      values (p_message, p_chat, v_parent, 'user', p_text, p_attachment);
  end if;
  insert into chat_messages (id, session_id, parent_id, role, generation_id, content, taken_over)
    select p_reply, p_chat, p_message, 'assistant', p_generation, coalesce(c.content, ''), p_taken_over
      from (select) as reply left join chat_messages c on c.id = p_continues and c.parent_id = p_message;
  return query select p_chat, v_title, v_made = 1, q.id, q.content, p_reply from chat_messages q where q.id = p_message;
end $$;

update chat_sessions s set title = first_words(m.content)
  from (select distinct on (session_id) session_id, content from chat_messages
         where role = 'user' and parent_id is null order by session_id, position) m
 where m.session_id = s.id and s.title_source = 'default' and s.title = 'New Conversation'
   and first_words(m.content) <> '';
