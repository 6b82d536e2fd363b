import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { PurchaseEntryCause } from './ledger/entry-reason.server.ts';

interface PurchasedCredits {
  grant_id: number;
  bought: number;
  taken: number;
  unused: number;
}

/** Returns what is left of a purchase, and locks the user's row until the transaction ends. */
export async function purchasedCredits(
  tx: Database,
  { userId, id }: { userId: string; id: string },
): Promise<PurchasedCredits | null> {
  await tx.row(sql`select 1 from users where id = ${userId} for update`);
  return tx.row<PurchasedCredits>(sql`
    select grant_id, bought, taken, unused from purchased_credits where user_id = ${userId} and external_id = ${id}`);
}

/**
 * Takes back credits of a purchase up to `due`, as far as they are unused, and returns what was taken beyond it.
 * Repeating it changes nothing. @param alwaysRecord writes an entry even if no credits move. @returns the total taken
 * back before and now, or null for an unknown purchase.
 */
export async function takeBackUnused(
  tx: Database,
  input: { userId: string; id: string; due: number; cause: PurchaseEntryCause; alwaysRecord: boolean },
): Promise<{ before: number; taken: number } | null> {
  const purchase = await purchasedCredits(tx, input);
  if (!purchase) return null;
  const { grant_id, taken, unused } = purchase;
  const target = Math.min(input.due, taken + unused);
  const totals = { before: taken, taken: target };
  if (target === taken && !input.alwaysRecord) return totals;
  await tx.run(sql`
    with entry as (
      insert into credit_ledger (user_id, delta, kind, source, external_id, cause, grant_id)
      select ${input.userId}, ${taken - target}::int, 'adjust', 'purchase_refund',
             concat(${input.id}::text, ':', (select count(*) + 1 from credit_ledger where grant_id = ${grant_id})),
             ${JSON.stringify(input.cause)}::jsonb, ${grant_id}
      returning user_id, delta)
    update users u set credits = u.credits + entry.delta from entry where u.id = entry.user_id`);
  return totals;
}
