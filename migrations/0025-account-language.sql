-- The language of a person's mails and of what they are answered: a BCP 47 tag of one of messages/*.json; null asks the browser.
alter table users add column language text check (length(language) between 2 and 35);
