-- A reply of 200 words has some 400 parts, and each was entered into its place in the index at once: 129 kB of write-ahead
-- log for one reply. New entries now wait in a list that a search reads too, and the server merges them ten seconds later at
-- most (docs/decisions/0074-searched-text-merged-later.md). An index is missing where its extension is.
alter index if exists chat_messages_parts set (fastupdate = on);
alter index if exists chat_messages_unspaced_parts set (fastupdate = on);
alter index if exists chat_sessions_title_parts set (fastupdate = on);
alter index if exists works_title_parts set (fastupdate = on);
alter index if exists work_versions_parts set (fastupdate = on);
alter index if exists image_jobs_parts set (fastupdate = on);
alter index if exists document_pages_parts set (fastupdate = on);
alter index if exists document_runs_parts set (fastupdate = on);
alter index if exists attachments_name_parts set (fastupdate = on);
