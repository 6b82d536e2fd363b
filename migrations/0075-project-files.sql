-- Files that each reply of a project's chats is given. They are attachments, as those of messages are; one may be both.
create table knowledge_files (
  attachment_id uuid not null references attachments,
  user_id uuid not null references users on delete cascade,
  project_id uuid not null,
  added_at timestamptz not null default app_now(),
  unique (project_id, attachment_id),
  foreign key (project_id, user_id) references projects (id, user_id) on delete cascade
);
create index knowledge_files_attachment on knowledge_files (attachment_id);
create index knowledge_files_of_user on knowledge_files (user_id);

-- What of them had no room in the request of a reply: [{ "name", "percent" }], as much of each as was sent.
alter table chat_messages add column files_left_out jsonb;

-- Builds before this one take such a file for unused. They leave it then, as those of messages.
create or replace function keep_further_attachment() returns trigger language plpgsql as $$
begin
  if (exists (select 1 from further_attachments f where f.attachment_id = old.id)
      or exists (select 1 from knowledge_files k where k.attachment_id = old.id))
     and exists (select 1 from users u where u.id = old.user_id) then
    return null;
  end if;
  return old;
end $$;
