-- Requests for pictures, one a run, and the pictures that were made. Bytes are in the file store under the keys: the PNG,
-- and two WebP files for lists. A picture is written as soon as it is made, whatever becomes of its run.
create table image_jobs (
  id uuid primary key references generations,
  user_id uuid not null references users on delete cascade,
  prompt text not null check (length(prompt) between 1 and 4000),
  size text not null check (size in ('512x512', '768x512', '1024x1024')),
  count integer not null check (count between 1 and 4),
  model text not null,
  created_at timestamptz not null default app_now(),
  deleted_at timestamptz
);
-- Ids are in the order of time.
create index image_jobs_newest on image_jobs (user_id, id desc) where deleted_at is null;
create index image_jobs_deleted on image_jobs (deleted_at) where deleted_at is not null;

create table image_pictures (
  id uuid primary key,
  job_id uuid not null references image_jobs on delete cascade,
  position integer not null check (position >= 0),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  -- Of the PNG, and of the two others together.
  bytes integer not null check (bytes > 0),
  preview_bytes integer not null check (preview_bytes > 0),
  file_key text not null unique,
  small_key text not null unique,
  medium_key text not null unique,
  created_at timestamptz not null default app_now(),
  deleted_at timestamptz,
  unique (job_id, position)
);
create index image_pictures_deleted on image_pictures (deleted_at) where deleted_at is not null;
