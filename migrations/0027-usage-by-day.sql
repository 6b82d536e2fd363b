-- What a person has used, by UTC day of a run's start and by tool: ended runs that count. Kept by a trigger in the
-- transaction that ends a run, so that the build before keeps it too; I26 compares it with the runs.
create table usage_days (
  user_id uuid not null references users,
  day date not null,
  feature text not null,
  runs integer not null,
  credits integer not null,
  primary key (user_id, day, feature)
) with (fillfactor = 80);

create function count_usage() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.counted and old.finished_at is not null then
    update usage_days u set runs = u.runs - 1, credits = u.credits - old.credits_charged
     where u.user_id = old.user_id and u.day = (old.created_at at time zone 'UTC')::date and u.feature = old.feature;
  end if;
  if tg_op <> 'DELETE' and new.counted and new.finished_at is not null then
    insert into usage_days as u (user_id, day, feature, runs, credits)
      values (new.user_id, (new.created_at at time zone 'UTC')::date, new.feature, 1, new.credits_charged)
      on conflict (user_id, day, feature) do update set runs = u.runs + 1, credits = u.credits + excluded.credits;
  end if;
  return null;
end $$;
create trigger generations_usage after update of finished_at on generations for each row execute function count_usage();
create trigger generations_usage_added after insert on generations
  for each row when (new.finished_at is not null) execute function count_usage();
create trigger generations_usage_removed after delete on generations for each row execute function count_usage();

-- The trigger holds back what ends meanwhile until this is written.
insert into usage_days (user_id, day, feature, runs, credits)
  select user_id, (created_at at time zone 'UTC')::date, feature, count(*), sum(credits_charged)
    from generations where counted and finished_at is not null group by 1, 2, 3;
