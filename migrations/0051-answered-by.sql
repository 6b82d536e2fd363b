-- The model that answered in place of the one that was asked, where the gateway fell back to another of the operator's.
alter table gateway_calls add column answered_by text check (length(answered_by) <= 200);
