import { honeypotField, MIN_SECONDS } from '#features/support/contract.ts';
import { m } from '#messages';
import { toProblem } from '#platform/http/error-mapper.server.ts';
import { log } from '#platform/log.server.ts';
import { cleanInput, codePointLength } from '#shared/input-text.ts';
import { sharePath } from './contract.ts';
import { isReportReason, MAX_REPORT_LENGTH, reportReasons } from './report-contract.ts';
import { reportShare } from './reports.server.ts';

export interface TypedReport {
  reason: string;
  words: string;
  /** Milliseconds since 1970; null: unknown. */
  opened: number | null;
}

export interface RefusedReport {
  typed: TypedReport;
  error: string;
  status: number;
  headers: Record<string, string>;
}

/** Sent by the loader, so that the route's browser module, which every page lists, imports nothing for it. */
export const reportFields = () => ({
  reasons: Object.entries(reportReasons).map(([reason, words]): [string, string] => [reason, words()]),
  honeypot: honeypotField,
  maxLength: MAX_REPORT_LENGTH,
  opened: Date.now(),
});

interface Sender {
  shareId: string;
  clientAddress: string;
  requestId: string;
}

/** @returns what was wrong, null if stored (or silently dropped), or `missing` if there is no such page. */
export async function receiveReport(
  form: FormData,
  { shareId, clientAddress, requestId }: Sender,
): Promise<RefusedReport | 'missing' | null> {
  const field = (name: string) => String(form.get(name) ?? '');
  const openedAt = /^\d{13}$/.test(field('opened')) ? Number(field('opened')) : null;
  const typed = { reason: field('reason'), words: field('words'), opened: openedAt };
  const refuse = (error: string, status = 422, headers = {}): RefusedReport => ({
    typed,
    error,
    status,
    headers,
  });
  if (field(honeypotField) !== '') {
    log.info({ requestId }, 'a report with the hidden field filled in was dropped');
    return null;
  }
  const { reason } = typed;
  const words = cleanInput(typed.words);
  if (!isReportReason(reason)) return refuse(m.shared_report_missing());
  const length = codePointLength(words);
  if (length > MAX_REPORT_LENGTH) return refuse(m.contact_message_long({ length, most: MAX_REPORT_LENGTH }));
  if (openedAt === null || Date.now() - openedAt < MIN_SECONDS * 1000) return refuse(m.contact_quick());
  try {
    return (await reportShare({ shareId, reason, words }, clientAddress)) ? null : 'missing';
  } catch (error) {
    const { message, status, headers } = toProblem(error, requestId, sharePath(shareId));
    return refuse(message, status, headers);
  }
}
