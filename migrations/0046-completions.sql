-- Answers of /v1 are erased once nobody may ask for them again; this finds them.
create index generations_completion_texts on generations (finished_at) where feature = 'completion' and text <> '';
