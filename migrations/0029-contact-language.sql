-- The language of the page that a message to support was sent from, which its receipt is written in; null for older ones.
alter table contact_messages add column language text check (length(language) between 2 and 35);
