import { tooManyAttemptsText } from '#features/accounts/contract.ts';
import { type Database, database, transaction } from '#platform/database/database.server.ts';
import { addressKey, customerKey } from '#platform/http/client-address.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { hitRateLimit, type RateLimit } from '#platform/http/rate-limit.server.ts';
import { log } from '#platform/log.server.ts';
import type { ReportReason } from './report-contract.ts';
import {
  closeReports,
  deleteClosedReports,
  insertReport,
  type ReportedRow,
  type ReportRow,
  reportedRow,
  reportsOfShare,
  takeDown,
} from './reports-store.server.ts';
import { isShareId } from './share-id.server.ts';
import { lockShown } from './store.server.ts';

const HOUR = 3600;
/** Months for which a report is kept after it was closed; the privacy page names this period. */
const RETENTION_MONTHS = 24;

const limits: [keyFor: (address: string) => string, RateLimit][] = [
  [(address) => `network:${addressKey(address)}`, { max: 10, seconds: HOUR }],
  [(address) => `customer:${customerKey(address)}`, { max: 30, seconds: HOUR }],
];

interface NewReport {
  shareId: string;
  reason: ReportReason;
  words: string;
}

/** @returns false if there is no such page. @throws Problem rate_limited; refused reports count towards no limit. */
export async function reportShare(input: NewReport, clientAddress: string): Promise<boolean> {
  if (!isShareId(input.shareId)) return false;
  return transaction(async (tx) => {
    const page = await lockShown(tx, input.shareId);
    if (!page) return false;
    for (const [keyFor, limit] of limits) {
      const { allowed, retryAfter } = await hitRateLimit(`share-report:${keyFor(clientAddress)}`, limit, tx);
      if (!allowed) throw new Problem('rate_limited', tooManyAttemptsText(retryAfter), { retryAfter });
    }
    await insertReport(tx, { ...input, userId: page.user_id });
    log.info({ share: input.shareId.slice(0, 6), reason: input.reason }, 'a shared page was reported');
    return true;
  });
}

export interface ReportedShare {
  id: string;
  ownerId: string;
  /** Null: its owner has stopped it, or it has ended. */
  page: ReportedRow | null;
  reports: ReportRow[];
}

/** For operators; null for a page that nobody has reported. */
export async function reportedShare(id: string): Promise<ReportedShare | null> {
  if (!isShareId(id)) return null;
  const reports = await reportsOfShare(database(), id);
  const [first] = reports;
  return first ? { id, ownerId: first.user_id, page: await reportedRow(database(), id), reports } : null;
}

/** Runs in the transaction of the operator's action. */
export async function decideOnReports(
  tx: Database,
  id: string,
  decision: 'take-down' | 'keep',
): Promise<void> {
  if (decision === 'take-down') await takeDown(tx, id);
  await closeReports(tx, id);
}

export const pruneReports = (): Promise<number> => deleteClosedReports(database(), RETENTION_MONTHS);
