-- A reply may come to its own end with a hole in it, where a piece of the gateway's stream could not be read.
alter table generations drop constraint generations_finish_reason_check;
alter table generations add constraint generations_finish_reason_check
  check (finish_reason in ('stop', 'length', 'filtered', 'incomplete'));
