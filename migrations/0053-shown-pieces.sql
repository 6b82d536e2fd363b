-- What readers are shown of running replies before the log (generation_chunks) has it: a row for all that a process shows at
-- once. Without a write-ahead log: the rows are needed for half a second, and after it where a process died, not where the
-- database did.
create unlogged table shown_pieces (
  owner text not null,
  seq bigint not null,
  -- By run: where the piece begins (UTF-16 units), and its text.
  pieces jsonb not null,
  primary key (owner, seq)
);
alter table shown_pieces alter column pieces set storage external;
