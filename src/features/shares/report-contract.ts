import { m } from '#messages';

/** The keys are values of the table's `reason`. */
export const reportReasons = {
  spam: m.shared_report_spam,
  personal: m.shared_report_personal,
  harmful: m.shared_report_harmful,
  illegal: m.shared_report_illegal,
  other: m.shared_report_other,
} as const;
export type ReportReason = keyof typeof reportReasons;

export const isReportReason = (text: unknown): text is ReportReason =>
  typeof text === 'string' && Object.hasOwn(reportReasons, text);

/** Code points of the text of a report. */
export const MAX_REPORT_LENGTH = 1000;
