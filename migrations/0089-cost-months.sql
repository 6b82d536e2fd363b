-- What the runs of a person cost in a calendar month (UTC) whose days are all in person_cost_days: a year of a person
-- is twelve rows and the days at its ends.
create table person_cost_months (
  -- Its first day.
  month date not null,
  user_id uuid not null references users,
  runs integer not null,
  calls integer not null,
  prompt_tokens bigint not null,
  completion_tokens bigint not null,
  credits bigint not null,
  micros bigint not null,
  estimated_micros bigint not null,
  unpriced integer not null,
  primary key (month, user_id)
);

insert into person_cost_months
select date_trunc('month', day)::date, user_id, sum(runs), sum(calls), sum(prompt_tokens), sum(completion_tokens),
       sum(credits), sum(micros), sum(estimated_micros), sum(unpriced)
  from person_cost_days
 where day < (select date_trunc('month', value::date) from instance_values where key = 'costs-summed-until')
 group by 1, 2;
