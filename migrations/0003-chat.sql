-- Files that people put to their messages. The bytes are in the file store under `file_key`; the text of a document is
-- what goes to the model.
create table attachments (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('image', 'pdf')),
  name text not null check (length(name) between 1 and 255),
  type text not null,
  bytes integer not null check (bytes > 0),
  file_key text not null unique,
  width integer check (width > 0),
  height integer check (height > 0),
  pages integer check (pages >= 0),
  pages_read integer check (pages_read >= 0),
  text text,
  note text,
  created_at timestamptz not null default app_now(),
  check ((kind = 'image') = (width is not null and height is not null)),
  check ((kind = 'pdf') = (pages is not null and pages_read is not null and text is not null))
);
create index attachments_of_user on attachments (user_id, created_at);

-- Paths, addresses and tags are words like others: what joins them counts as a blank. 100,000 characters take 1 to 10 ms,
-- `translate` 25.
create function words_apart(p_text text) returns text language sql immutable strict parallel safe
  return replace(replace(replace(replace(replace(replace(
    replace(replace(replace(replace(replace(replace(p_text,
      '/', ' '), '\', ' '), '.', ' '), '-', ' '), '_', ' '), '@', ' '),
    ':', ' '), '<', ' '), '>', ' '), '&', ' '), '+', ' '), '~', ' ');

-- The same for an excerpt, by signs that the parser takes for blanks and that `words_together` turns back. Texts hold these
-- signs, and those that stand around a hit (2 and 3), by accident alone, and lose them here.
create function words_parted(p_text text) returns text language sql immutable strict parallel safe
  return translate(p_text, E'/\\.-_@:<>&+~\x04\x05\x06\x07\x08\x0e\x0f\x10\x11\x12\x13\x14\x02\x03',
                   E'\x04\x05\x06\x07\x08\x0e\x0f\x10\x11\x12\x13\x14');
create function words_together(p_text text) returns text language sql immutable strict parallel safe
  return translate(p_text, E'\x04\x05\x06\x07\x08\x0e\x0f\x10\x11\x12\x13\x14', E'/\\.-_@:<>&+~');

alter table chat_sessions
  add assistant text not null default 'general',
  -- End of the branch that is shown; null: the newest. Anything said in the chat sets it back.
  add tip_id uuid;

alter table chat_messages
  add attachment_id uuid references attachments,
  -- Place in its branch, from 1; set by a trigger, so that no writer can forget it.
  add depth integer not null default 1,
  -- UTF-16 units at the start of the content that come from the reply that this one goes on with.
  add taken_over integer not null default 0 check (taken_over >= 0),
  -- Messages at the start of the branch that did not fit into the request.
  add left_out integer not null default 0 check (left_out >= 0),
  -- The language is the writer's own, so words are taken as they stand. A person's messages are looked through one by
  -- one (5 ms for 1,000): an index over everybody's words costs more at each message than it saves, and would have to be
  -- cut down to one person's at each search.
  add search tsvector generated always as (to_tsvector('simple'::regconfig, words_apart(left(content, 100000)))) stored;
create index chat_messages_attachment on chat_messages (attachment_id) where attachment_id is not null;

-- The versions of a chat's first message.
create index chat_messages_roots on chat_messages (session_id) where parent_id is null;

create function set_depth() returns trigger language plpgsql as $$
begin
  new.depth := 1 + coalesce((select depth from chat_messages where id = new.parent_id), 0);
  return new;
end $$;
create trigger chat_messages_depth before insert on chat_messages for each row execute function set_depth();

with recursive down as (
  select id, 1 as depth from chat_messages where parent_id is null
  union all
  select m.id, down.depth + 1 from chat_messages m join down on m.parent_id = down.id)
update chat_messages m set depth = down.depth from down where m.id = down.id and down.depth > 1;

-- The end of the newest branch through a message of a chat; where that is null or unknown, of its newest branch. The
-- subquery is a fence (`offset 0`): where statistics are missing, the planner would read the whole table at each step.
create function branch_end(p_session uuid, p_through uuid) returns uuid language sql stable as $$
  with recursive down as (
    select id, position from chat_messages where id = p_through and session_id = p_session
    union all
    select m.* from down cross join lateral (
      select c.id, c.position from chat_messages c where c.parent_id = down.id offset 0) m)
  select coalesce(
    (select id from down order by position desc limit 1),
    (select id from chat_messages where session_id = p_session order by position desc limit 1))
$$;

drop function write_exchange(text, uuid, uuid, uuid, boolean, uuid, uuid, text, uuid);

-- Question and reply of an admitted run, and the chat with its first message; part of the admission's statement. A
-- function, so that it sees the newest message after the admission has waited for the person's lock. For a repeated
-- key it answers what the first request wrote. `p_create` is the assistant of a chat that may be made.
-- Without a text the question exists already, and `p_continues` is the reply to it that is gone on with.
create function write_exchange(
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
  update chat_sessions s set updated_at = app_now(), tip_id = null
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
