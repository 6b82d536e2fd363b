-- Words that the search of prompts knows a curated prompt by, beside its own.
alter table prompts add column tags text[] not null default '{}';
-- A prompt about pictures that is answered in words: it opens in the chat, not in the Image Generator.
alter table prompts add column gives_text boolean not null default false;

-- Every curated prompt had the same rating. An editor gives a prompt its own, and says why.
update prompts set editor_rating = null;
alter table prompts add column editor_reason text check (length(editor_reason) between 1 and 300);
alter table prompts add constraint prompts_editor_reason check ((editor_rating is null) = (editor_reason is null));
alter table prompts add column rating_count integer not null default 0 check (rating_count >= 0);
alter table prompts add column rating_sum integer not null default 0 check (rating_sum between rating_count and 5 * rating_count);

-- Who used a prompt, and what they rate it since: without a use there is no rating.
create table prompt_uses (
  prompt_id uuid not null references prompts on delete cascade,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default app_now(),
  stars smallint check (stars between 1 and 5),
  rated_at timestamptz,
  primary key (prompt_id, user_id),
  check ((stars is null) = (rated_at is null))
);
create index prompt_uses_of_user on prompt_uses (user_id);
