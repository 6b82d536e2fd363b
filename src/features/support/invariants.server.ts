import { sql } from '#platform/database/sql.server.ts';
import type { Invariant } from '#platform/feature-module.server.ts';
import { unsentMails } from '#platform/mail/mail-queue.server.ts';

export const supportInvariants: readonly Invariant[] = [
  {
    id: 'I24',
    description:
      'only hashes are kept of people who left the newsletter, and they are sent nothing; requests not confirmed within a week are gone (beyond two sweeps); due emails are sent',
    violations: sql`select 'left' as what, s.id::text as id from newsletter_subscribers s where s.left_at is not null
        and (num_nonnulls(s.email, s.wording, s.source, s.asked_at, s.asked_network, s.confirmed_at, s.confirmed_network) > 0
          or exists (select 1 from newsletter_deliveries d where d.subscriber_id = s.id and d.state = 'waiting'))
      union all select 'no consent', s.id::text from newsletter_subscribers s where s.left_at is null
        and num_nulls(s.email, s.wording, s.source, s.asked_at, s.asked_network, s.confirmed_at, s.confirmed_network) > 0
      union all select 'request', r.id::text from newsletter_requests r where r.expires_at < app_now() - interval '2 hours'
      union all select 'trial', d.id::text from newsletter_deliveries d
        where d.trial_address is not null and d.created_at < app_now() - interval '7 days 2 hours'
      union all select 'not sent', d.id::text from newsletter_deliveries d
        where d.state = 'waiting' and d.next_try_at < app_now() - interval '2 hours'
          and (d.trial_address is not null or exists (select 1 from newsletter_recipients r where r.id = d.subscriber_id))
          -- A long list takes its time, in the order in which it is due.
          and not exists (select 1 from newsletter_deliveries o where o.sent_at > app_now() - interval '2 hours')`,
  },
  {
    id: 'I25',
    description:
      'a support message is emailed and acknowledged, or retried, and is erased 24 months after it was marked done',
    violations: sql`select c.reference, 'mails' as what from contact_messages c left join contact_mails m on m.message_id = c.id
        group by c.id having count(m.kind) <> 2
      union all select c.reference, 'not tried' from contact_messages c join contact_mails m on m.message_id = c.id
        where ${unsentMails} and m.next_try_at < app_now() - interval '10 minutes'
      union all select reference, 'kept' from contact_messages where done_at < app_now() - interval '24 months 2 days'`,
  },
];
