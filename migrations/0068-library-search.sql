-- All that a person has made or uploaded is listed in one place, by its time or its name, and found by its words.
create index chat_sessions_named on chat_sessions (user_id, lower(title), id) where deleted_at is null and not temporary;
create index works_named on works (user_id, feature, lower(title), id) where deleted_at is null;
create index image_jobs_made on image_jobs (user_id, created_at desc, id desc) where deleted_at is null;
create index image_jobs_named on image_jobs (user_id, lower(left(prompt, 120)), id) where deleted_at is null;

-- Whose a version is stands beside its words, as with messages. Every writer's rows get it, those of the build before too.
alter table work_versions add column user_id uuid;

create function set_version_owner() returns trigger language plpgsql as $$
begin
  new.user_id := (select user_id from works where id = new.work_id);
  return new;
end $$;
create trigger work_versions_owner before insert on work_versions for each row execute function set_version_owner();

update work_versions v set user_id = w.user_id from works w where w.id = v.work_id;

-- The words of a question and of all that was found for a document, without the names of the fields.
create function words_of_run(p_question text, p_result jsonb) returns text language sql immutable parallel safe
  return concat_ws(' ', p_question, jsonb_path_query_array(p_result, 'strict $.** ? (@.type() == "string")')::text);
