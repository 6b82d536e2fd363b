-- When a file was taken out of a project or an assistant and nothing else referred to it: until it is erased that can be undone.
alter table attachments add column removed_at timestamptz;
