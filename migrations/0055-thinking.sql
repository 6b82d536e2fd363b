-- What a model thought before its reply, as it is shown above it. Written while the model thinks, and once more at the
-- run's end.
create table thinking (
  generation_id uuid primary key references generations (id) on delete cascade,
  text text not null,
  -- UTF-16 units of the text.
  units int not null check (units > 0),
  -- From the run's start to the first text of the reply.
  ms int not null check (ms >= 0)
);
