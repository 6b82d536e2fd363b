-- Who a script's title page names: the person's own words, '' for nobody; null, until they say so, is the account's name.
alter table works add column author text check (length(author) <= 120);
