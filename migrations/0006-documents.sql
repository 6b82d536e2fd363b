-- Documents of the PDF analyzer: their text with the place of each word, what was found in them, what was asked.

create table documents (
  id uuid primary key,
  user_id uuid not null references users,
  name text not null check (length(name) <= 600),
  bytes integer not null check (bytes > 0),
  file_key text not null unique,
  pages integer not null check (pages > 0),
  pages_read integer not null check (pages_read between 0 and pages),
  note text,
  created_at timestamptz not null default app_now(),
  deleted_at timestamptz
);
create index documents_of_user on documents (user_id, created_at desc);
create index documents_deleted on documents (deleted_at) where deleted_at is not null;

-- `boxes`: for each word of `text` (its pieces between blanks and line ends) x, y, width, height in tenths of a page unit.
create table document_pages (
  document_id uuid not null references documents on delete cascade,
  page integer not null check (page > 0),
  width real not null,
  height real not null,
  text text not null,
  boxes integer[] not null,
  primary key (document_id, page)
);

create table document_runs (
  generation_id uuid primary key references generations,
  document_id uuid not null references documents on delete cascade,
  kind text not null check (kind in ('analysis', 'question')),
  question text,
  -- What has been found so far; after its end only what was finished.
  result jsonb,
  created_at timestamptz not null default app_now(),
  check ((kind = 'question') = (question is not null))
);
create index document_runs_of_document on document_runs (document_id, created_at desc);
