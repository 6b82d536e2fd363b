-- Shared pages of texts, scripts and images beside those of chats and replies.
alter table shares
  -- Null: a chat, or with message_id a reply.
  add column kind text check (kind in ('text', 'script', 'images')),
  add column work_id uuid references works on delete cascade,
  -- Of a text or a script, as it was when the page was made or updated; null once it is taken down.
  add column content text,
  -- As they are shown. Pictures do not change; a page of which none is left is erased by the daily job.
  add column picture_ids uuid[] check (cardinality(picture_ids) > 0),
  add column show_prompts boolean not null default false,
  alter column chat_id drop not null,
  -- Wider: rows of chats are held to what they were.
  drop constraint shares_check,
  add constraint shares_check check (num_nonnulls(chat_id, work_id, picture_ids) = 1
    and case when taken_down_at is null then num_nonnulls(messages, content, picture_ids) = 1
             else num_nonnulls(messages, content) = 0 end),
  add check ((kind is null) = (work_id is null and picture_ids is null)),
  add check ((kind is not distinct from 'images') = (picture_ids is not null));
create unique index shares_of_work on shares (work_id) where work_id is not null;
create unique index shares_of_pictures on shares (user_id, picture_ids) where picture_ids is not null;
