-- One mailbox has many spellings: whose owner has left is told by it, not by the spelling that was entered. HMAC as
-- address_hash; null in rows of before.
alter table newsletter_requests add column mailbox_hash bytea;
alter table newsletter_subscribers add column mailbox_hash bytea;
create index newsletter_requests_of_mailbox on newsletter_requests (mailbox_hash);
create index newsletter_subscribers_of_mailbox on newsletter_subscribers (mailbox_hash);

-- Who is sent to; nobody whose account of the same address was deleted after their consent.
create or replace view newsletter_recipients as
  select s.id, s.email, s.leave_token, s.wording, s.source, s.asked_at, s.confirmed_at from newsletter_subscribers s
   where s.left_at is null and not exists
     (select 1 from users u where u.email = s.email and u.deleted_at > s.confirmed_at);
