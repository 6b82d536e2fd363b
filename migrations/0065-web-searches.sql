-- The web search of a chat's reply, with the sources that stand under it.
create table web_searches (
  generation_id uuid primary key references generations (id) on delete cascade,
  state text not null check (state in ('searching', 'found', 'nothing', 'failed')),
  -- Credits of the run's price that are for it: kept exactly where it has found sources.
  price integer not null check (price >= 0),
  -- As the search was asked; empty where the gateway itself asks.
  queries text[] not null default '{}' check (cardinality(queries) <= 3),
  -- [{ url, title, date }], in the order of their numbers.
  sources jsonb not null default '[]' check (jsonb_array_length(sources) <= 20),
  check ((state = 'found') = (jsonb_array_length(sources) > 0)),
  check (octet_length(sources::text) <= 131072)
);
