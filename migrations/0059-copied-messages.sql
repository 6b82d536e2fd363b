-- Messages that a person took over from a shared page: no run of theirs made the replies among them.
alter table chat_messages
  add column copied boolean not null default false,
  drop constraint chat_messages_check,
  -- Wider, and what is there has held the narrower one.
  add constraint chat_messages_check check ((role = 'assistant' and not copied) = (generation_id is not null)) not valid;
