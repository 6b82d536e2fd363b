-- app_now() without a look at app_clock, so that PostgreSQL plans it as the expression it is: a function with a
-- subquery runs as a query of its own for each row that it is compared with. A clock that a sandbox moves makes the
-- function anew.
create function set_clock() returns trigger language plpgsql as $$
begin
  execute format(
    'create or replace function %I.app_now() returns timestamptz language sql stable as %L',
    tg_table_schema,
    case when new.offset_ms = 0 then 'select now()'
         else format('select now() + interval %L', new.offset_ms || ' milliseconds') end);
  return null;
end $$;
create trigger app_clock_set after insert or update on app_clock for each row execute function set_clock();
update app_clock set offset_ms = offset_ms;
