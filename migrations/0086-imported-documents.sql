-- Findings that an archive brings: no run of this site made them. Those of a run have its result once it has ended.
alter table document_runs add column id uuid;
update document_runs set id = generation_id;
alter table document_runs
  alter column id set default gen_random_uuid(),
  alter column id set not null,
  drop constraint document_runs_pkey,
  alter column generation_id drop not null;
alter table document_runs
  add primary key (id),
  add unique (generation_id);

alter table imported_items
  drop constraint imported_items_kind_check,
  -- Wider, and what is there has held the narrower one.
  add constraint imported_items_kind_check
    check (kind in ('text', 'project', 'assistant', 'image', 'prompt', 'note', 'instructions', 'tag', 'file', 'document'))
    not valid;
