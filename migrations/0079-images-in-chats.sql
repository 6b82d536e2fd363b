-- A copy of a reply that shows images, in a fork: the run that made them. The reply itself has it as its own run.
alter table chat_messages add column drawn_by uuid references generations;
create index chat_messages_drawn_by on chat_messages (drawn_by) where drawn_by is not null;
