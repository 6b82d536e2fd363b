-- Pictures that the operator has uploaded, by the name of the file that pages ask for. One that is not used any more stays:
-- an undo brings it back, and a page that is open still asks for it.
create table brand_files (
  name text primary key check (length(name) between 1 and 60),
  bytes bytea not null check (length(bytes) between 1 and 262144),
  created_at timestamptz not null default app_now()
);
