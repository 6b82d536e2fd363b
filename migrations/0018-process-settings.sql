-- What all processes of a database must have in common: a fingerprint of their AUTH_SECRET, and the id of their DATA_DIR.
-- Null in the rows of an earlier build.
alter table engine_leases add column secret_print text, add column folder_id text;
