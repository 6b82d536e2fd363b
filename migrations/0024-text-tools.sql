-- Which tools make texts is said by the table of tools (src/features/credits/contract.ts), so that one more needs no migration.
alter table works drop constraint works_feature_check;
