import type { Database } from '../../../../platform/database/database.server.ts';
import { sql } from '../../../../platform/database/sql.server.ts';
import type { PlanDuration } from '../../../credits/contract.ts';

export interface EndedPlan {
  user_id: string;
  provider: string;
  external_id: string;
  plan: PlanDuration;
  /** The provider's word. */
  status: string;
  ended_at: Date;
}

/**
 * The plans that ended in the last so many days, each the last of a person who is without Pro by that and was not told
 * so: a cancellation or a failed payment after the end says it itself. At most 200, the earliest first.
 */
export function untoldEnds(db: Database, days: number): Promise<EndedPlan[]> {
  return db.rows<EndedPlan>(sql`
    select s.user_id, s.provider, s.external_id, s.plan, s.status, s.access_until as ended_at
      from subscription_states t join subscriptions s on s.id = t.subscription_id
      join entitlements e on e.user_id = s.user_id
      join users u on u.id = s.user_id
     where t.state = 'expired' and e.plan = 'free' and u.deleted_at is null
       and s.access_until > app_now() - ${days}::int * interval '1 day'
       and not exists (select 1 from subscriptions o where o.user_id = s.user_id and o.access_until > s.access_until)
       and not exists (
         select 1 from billing_mails m
          where m.user_id = s.user_id
            and ((m.kind = 'ended' and starts_with(m.key, concat('ended:', s.provider, ':', s.external_id, ':'))
                  and (m.facts->>'endedAt')::timestamptz = s.access_until)
              or (m.kind = 'cancelled' and starts_with(m.key, concat('cancelled:', s.provider, ':', s.external_id, ':'))
                  and m.facts->>'endsAt' is null)
              or (m.kind = 'payment_failed' and starts_with(m.key, concat('payment_failed:', s.provider, ':', s.external_id, ':'))
                  and m.facts->>'accessUntil' is null and m.created_at >= s.access_until)))
     order by s.access_until, s.id limit 200`);
}
