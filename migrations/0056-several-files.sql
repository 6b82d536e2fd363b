-- The files of a message after its first one, which `chat_messages.attachment_id` has: builds before this one know that alone.
create table further_attachments (
  message_id uuid not null references chat_messages on delete cascade,
  position smallint not null check (position between 2 and 10),
  attachment_id uuid not null references attachments,
  user_id uuid not null references users on delete cascade,
  primary key (message_id, position),
  unique (message_id, attachment_id)
);
create index further_attachments_file on further_attachments (attachment_id);

create view message_attachments as
  select id as message_id, 1 as position, attachment_id from chat_messages where attachment_id is not null
  union all
  select message_id, position, attachment_id from further_attachments;

-- Called in the statement that starts a reply, after `write_exchange`, which has checked and written the first file.
create function add_further_attachments(p_admitted boolean, p_message uuid, p_user uuid, p_attachments uuid[])
returns integer language plpgsql as $$
declare
  v_added integer := 0;
begin
  if p_admitted then
    insert into further_attachments (message_id, position, attachment_id, user_id)
      select p_message, f.place + 1, a.id, p_user
        from unnest(p_attachments) with ordinality as f(id, place) join attachments a on a.id = f.id and a.user_id = p_user;
    get diagnostics v_added = row_count;
    if v_added < cardinality(p_attachments) then
      raise exception 'no such attachment' using errcode = 'foreign_key_violation';
    end if;
  end if;
  return v_added;
end $$;

-- Builds before this one take a file for unused that is only here. They leave it then, and find it used the next time.
-- Whose owner is gone goes with them.
create function keep_further_attachment() returns trigger language plpgsql as $$
begin
  if exists (select 1 from further_attachments f where f.attachment_id = old.id)
     and exists (select 1 from users u where u.id = old.user_id) then
    return null;
  end if;
  return old;
end $$;
create trigger attachments_keep before delete on attachments for each row execute function keep_further_attachment();
