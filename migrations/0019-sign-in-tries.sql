-- Tries at a code by browsers other than the one that asked for it; `tries` are those of the one that asked.
alter table sign_ins add column tries_elsewhere integer not null default 0;
