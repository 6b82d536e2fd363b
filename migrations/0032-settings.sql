-- Settings that the operator has changed, as their history: the newest row of a name is what holds, null its default. One
-- change may hold several names. Only ever added to.
create table setting_changes (
  change integer not null check (change > 0),
  name text not null check (length(name) between 1 and 60),
  before jsonb,
  after jsonb check (length(after::text) <= 65536),
  actor text not null check (length(actor) between 1 and 200),
  -- The change that this one takes back.
  undoes integer check (undoes < change),
  created_at timestamptz not null default app_now(),
  primary key (change, name)
);
create index setting_changes_of_name on setting_changes (name, change desc);

create function refuse_setting_change() returns trigger language plpgsql as $$
begin
  raise exception 'the history of settings is append-only' using errcode = 'restrict_violation';
end $$;
create trigger setting_changes_append_only before update or delete on setting_changes
  for each row execute function refuse_setting_change();
create trigger setting_changes_no_truncate before truncate on setting_changes
  for each statement execute function refuse_setting_change();
