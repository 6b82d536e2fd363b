-- Why an entry of the ledger was made, and why money goes back, as codes with their values: pages and exports say them in
-- the language of whoever reads. `reason` keeps the operator's own words and the sentences of older rows.
alter table credit_ledger add column cause jsonb;
alter table refunds add column cause text;

-- The same of what was left out of a PDF that is attached to a chat; `note` has the sentences of older rows.
alter table attachments add column left_out jsonb;
