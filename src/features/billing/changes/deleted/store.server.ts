import type { Database } from '../../../../platform/database/database.server.ts';
import { sql } from '../../../../platform/database/sql.server.ts';

export interface NeedlessPayment {
  /** Ours. */
  id: string;
  payment: string;
  subscription: string;
  user_id: string;
}

/** What accounts have paid after they were deleted and was not asked back; where that failed, again after a day. */
export function paidAfterDeletion(db: Database, provider: string): Promise<NeedlessPayment[]> {
  return db.rows<NeedlessPayment>(sql`
    select p.id, p.external_id as payment, s.external_id as subscription, p.user_id
      from payments p join users u on u.id = p.user_id join subscriptions s on s.id = p.subscription_id
     where p.provider = ${provider} and p.paid_at > u.deleted_at
       and p.refunded_cents < p.amount_cents and not p.disputed
       and not exists (select 1 from refunds r where r.payment_id = p.id and r.asked_by <> 'provider'
                          and (r.state <> 'failed' or r.created_at > app_now() - interval '1 day'))
     order by p.paid_at limit 100`);
}
