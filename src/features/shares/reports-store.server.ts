import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { SharedMessage, ShareKind } from './contract.ts';
import type { ReportReason } from './report-contract.ts';

/** More reports of one page tell the operator nothing new. */
const MAX_OPEN = 50;

export const insertReport = (
  tx: Database,
  report: { shareId: string; userId: string; reason: ReportReason; words: string },
) =>
  tx.run(sql`
    insert into share_reports (share_id, user_id, reason, words)
    select ${report.shareId}, ${report.userId}::uuid, ${report.reason}, ${report.words}
     where (select count(*) from share_reports where share_id = ${report.shareId} and closed_at is null) < ${MAX_OPEN}::int`);

export const deleteReportsOf = (tx: Database, userId: string) =>
  tx.run(sql`delete from share_reports where user_id = ${userId}`);

export const deleteClosedReports = (db: Database, months: number) =>
  db.run(sql`delete from share_reports where closed_at < app_now() - ${months}::int * interval '1 month'`);

export interface ReportRow {
  reason: ReportReason;
  words: string;
  created_at: Date;
  closed_at: Date | null;
  user_id: string;
}

export const reportsOfShare = (db: Database, shareId: string) =>
  db.rows<ReportRow>(sql`
    select reason, words, created_at, closed_at, user_id from share_reports where share_id = ${shareId}
     order by created_at desc limit 100`);

export interface ReportedRow {
  kind: ShareKind;
  title: string;
  messages: SharedMessage[] | null;
  content: string | null;
  picture_ids: string[] | null;
  taken_down_at: Date | null;
}

export const reportedRow = (db: Database, shareId: string) =>
  db.row<ReportedRow>(sql`
    select coalesce(kind, case when message_id is null then 'chat' else 'reply' end) as kind, title, messages, content,
           picture_ids, taken_down_at from shares where id = ${shareId}`);

/** Takes down a page, and every other page of its owner that has one of its images. */
export const takeDown = (tx: Database, shareId: string) =>
  tx.run(sql`
    update shares s set messages = null, content = null, taken_down_at = app_now()
      from shares reported
     where reported.id = ${shareId} and s.user_id = reported.user_id and s.taken_down_at is null
       and (s.id = reported.id or s.picture_ids && reported.picture_ids)`);

export const closeReports = (tx: Database, shareId: string) =>
  tx.run(
    sql`update share_reports set closed_at = app_now() where share_id = ${shareId} and closed_at is null`,
  );
