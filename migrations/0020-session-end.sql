-- A session ends 180 days after it began, however often it is used: those that are older end now.
update sessions set expires_at = least(expires_at, created_at + interval '180 days');
