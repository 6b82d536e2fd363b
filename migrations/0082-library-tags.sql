-- Words that a person puts on items of the library, of each kind: a tag stands on many items, an item has several.
create table tags (
  id uuid primary key,
  user_id uuid not null references users (id),
  name text not null check (length(name) between 1 and 40),
  -- The name as it is compared: in lower case, and in one spelling of its signs.
  key text not null,
  created_at timestamptz not null default app_now(),
  unique (user_id, key),
  unique (id, user_id)
);

create table tagged_items (
  tag_id uuid not null,
  user_id uuid not null,
  -- As the library has them; the texts of a tool have its name.
  kind text not null,
  item_id uuid not null,
  primary key (tag_id, kind, item_id),
  foreign key (tag_id, user_id) references tags (id, user_id) on delete cascade
);
create index tagged_items_of_item on tagged_items (item_id, kind);

-- A project is listed by name too; by time it has chat_sessions_in_project.
create index chat_sessions_in_project_named on chat_sessions (project_id, lower(title), id) where project_id is not null;

-- In place of a foreign key to one table: the item is there, its person's, and is not erased until the transaction ends.
create function require_tagged_item() returns trigger language plpgsql as $$
begin
  case new.kind
    when 'chat' then perform 1 from chat_sessions where id = new.item_id and user_id = new.user_id for key share;
    when 'image' then perform 1 from image_jobs where id = new.item_id and user_id = new.user_id for key share;
    when 'pdf' then perform 1 from documents where id = new.item_id and user_id = new.user_id for key share;
    when 'file' then perform 1 from attachments where id = new.item_id and user_id = new.user_id for key share;
    when 'prompts' then perform 1 from prompts where id = new.item_id and user_id = new.user_id for key share;
    else
      perform 1 from works where id = new.item_id and user_id = new.user_id and feature = new.kind for key share;
  end case;
  if not found then raise foreign_key_violation using message = 'no such item'; end if;
  return new;
end $$;
create trigger tagged_items_require before insert or update on tagged_items
  for each row execute function require_tagged_item();

-- What is erased loses its tags, whichever build erases it.
create function untag_erased() returns trigger language plpgsql as $$
begin
  delete from tagged_items t using erased e where t.item_id = e.id and t.user_id = e.user_id;
  return null;
end $$;
create trigger chat_sessions_untag after delete on chat_sessions referencing old table as erased
  for each statement execute function untag_erased();
create trigger works_untag after delete on works referencing old table as erased
  for each statement execute function untag_erased();
create trigger image_jobs_untag after delete on image_jobs referencing old table as erased
  for each statement execute function untag_erased();
create trigger documents_untag after delete on documents referencing old table as erased
  for each statement execute function untag_erased();
create trigger attachments_untag after delete on attachments referencing old table as erased
  for each statement execute function untag_erased();
create trigger prompts_untag after delete on prompts referencing old table as erased
  for each statement execute function untag_erased();
