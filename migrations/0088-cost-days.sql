-- What the runs of a UTC day cost, once nothing of that day can change: the operator's figures of a year are their sum.
create table cost_days (
  day date not null,
  feature text not null,
  -- '': a run without a call.
  model text not null,
  -- With a call to this model; of them those that began with it, so that each run counts once.
  runs integer not null,
  first_runs integer not null,
  calls integer not null,
  prompt_tokens bigint not null,
  completion_tokens bigint not null,
  credits bigint not null,
  micros bigint not null,
  estimated_micros bigint not null,
  unpriced integer not null,
  primary key (day, feature, model)
);

create table person_cost_days (
  day date not null,
  user_id uuid not null references users,
  runs integer not null,
  calls integer not null,
  prompt_tokens bigint not null,
  completion_tokens bigint not null,
  credits bigint not null,
  micros bigint not null,
  estimated_micros bigint not null,
  unpriced integer not null,
  primary key (day, user_id)
);

-- The runs of a day, and the latest ones.
create index generations_of_time on generations (created_at);
-- The operator's list of runs begins with those that went wrong, of which there are few.
create index generations_unwell on generations (created_at, id) where state in ('failed', 'interrupted');
