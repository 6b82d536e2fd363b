-- The files of chats are items of the library: listed by their time (0003) and their name, and found by it.
create index attachments_named on attachments (user_id, lower(name), id);
-- As with the other words (0073): without it the names are read one by one.
do $$
begin
  create index attachments_name_parts on attachments using gin (user_id, lower(name) gin_trgm_ops) with (fastupdate = off);
exception when insufficient_privilege or feature_not_supported or undefined_file or undefined_object then
  raise warning 'no index for the parts of names: %', sqlerrm;
end $$;
