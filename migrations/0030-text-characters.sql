-- The length of a Chinese or Japanese text as its readers count it; null for texts of other scripts, and for older ones,
-- which count their words.
alter table work_versions add column characters integer check (characters > 0);
