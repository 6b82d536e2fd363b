-- Tags of an archive, and the files that they are on: which was made of which.
alter table imported_items
  drop constraint imported_items_kind_check,
  -- Wider, and what is there has held the narrower one.
  add constraint imported_items_kind_check
    check (kind in ('text', 'project', 'assistant', 'image', 'prompt', 'note', 'instructions', 'tag', 'file')) not valid;
