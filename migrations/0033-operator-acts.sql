-- What operators do, by `npm run billing` and in /admin, is noted once for a press of a button and never changed.
alter table operator_actions add column operator_id uuid references users;
alter table operator_actions add column press uuid unique;
create index operator_actions_of_operator on operator_actions (operator_id, id desc);

create function refuse_act_change() returns trigger language plpgsql as $$
begin
  raise exception 'the log of operators is append-only' using errcode = 'restrict_violation';
end $$;
create trigger operator_actions_append_only before update or delete on operator_actions
  for each row execute function refuse_act_change();
create trigger operator_actions_no_truncate before truncate on operator_actions
  for each statement execute function refuse_act_change();
-- Also where a session plays a replica.
alter table operator_actions enable always trigger operator_actions_append_only;
alter table operator_actions enable always trigger operator_actions_no_truncate;
