-- Of the words of 0068, in a transaction of its own: while they are built the tables can be read.
-- As with messages: at once, and without them a search reads all that the person has.
do $$
begin
  create index chat_sessions_title_parts on chat_sessions using gin (user_id, lower(title) gin_trgm_ops)
    with (fastupdate = off);
  create index works_title_parts on works using gin (user_id, lower(title) gin_trgm_ops) with (fastupdate = off);
  create index work_versions_parts on work_versions using gin (user_id, lower(left(content, 100000)) gin_trgm_ops)
    with (fastupdate = off) where content <> '';
  create index image_jobs_parts on image_jobs using gin (user_id, lower(left(prompt, 100000)) gin_trgm_ops)
    with (fastupdate = off);
  create index document_pages_parts on document_pages using gin (document_id, lower(left(text, 100000)) gin_trgm_ops)
    with (fastupdate = off);
  create index document_runs_parts on document_runs
    using gin (document_id, lower(left(words_of_run(question, result), 100000)) gin_trgm_ops) with (fastupdate = off);
exception when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then
  raise warning 'no index for the parts of words: %', sqlerrm;
end $$;
