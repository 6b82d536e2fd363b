import { me } from '#features/accounts/service.server.ts';
import { creditTexts, featureTable, planLimits } from '#features/credits/contract.ts';
import { checkOffered } from '#features/credits/service.server.ts';
import { isRunning } from '#features/generations/contract.ts';
import { failureText, stopRuns } from '#features/generations/service.server.ts';
import { m } from '#messages';
import { type ExportFile, storedBytes } from '#platform/data-export.server.ts';
import { database, transaction } from '#platform/database/database.server.ts';
import { fileKey, openFile, removeFile } from '#platform/files/file-store.server.ts';
import type { Upload } from '#platform/files/upload.server.ts';
import { uploadSlots } from '#platform/files/upload-slots.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import {
  notFound,
  Problem,
  requireFound,
  requireUuid,
  signInRequired,
} from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import {
  type AnalysisView,
  type Answer,
  type AskedQuestion,
  completeFindings,
  type DocumentRow,
  type DocumentView,
  type Findings,
  type RunView,
} from './contract.ts';
import { describeNotes } from './document-notes.server.ts';
import { fileName } from './export-entries.server.ts';
import { findingsMarkdown } from './findings-markdown.server.ts';
import { DOCUMENT_QUOTA, type OnPage, readDocument } from './read-document.server.ts';
import {
  type DocumentRecord,
  documentsOf,
  insertDocument,
  openRunsOf,
  ownDocument,
  type RunRecord,
  runsOf,
  softDeleteDocument,
  storageUsed,
  textPagesOf,
  undeleteDocument,
} from './store.server.ts';

export { documentItems } from './document-items-store.server.ts';
export { type DocumentNote, describePageNotes, notesOfPages } from './document-notes.server.ts';
export {
  addImportedDocument,
  hasDocument,
  readImportedDocument,
  removeDocumentFile,
} from './import-document.server.ts';

const LIST_LIMIT = 200;
const QUESTION_LIMIT = 100;
const UPLOAD_LIMIT = { max: 30, seconds: 3600 };
const withSlot = uploadSlots(1, m.pdfs_one_at_once);

type DocumentInput = ActorInput<{ id: string }>;

export const canAnalyze = (plan: keyof typeof planLimits): boolean =>
  featureTable.pdf.free || planLimits[plan].unlimited;

export async function requirePlan(actor: UserActor): Promise<void> {
  const { plan } = await me({ actor });
  if (!canAnalyze(plan)) throw new Problem('plan_required', creditTexts.planRequired());
}

export async function ownRecord({ actor, input }: DocumentInput): Promise<DocumentRecord> {
  return requireFound(await ownDocument(database(), actor.userId, requireUuid(input.id)));
}

function toRow(row: DocumentRecord, { analysed, running }: Pick<DocumentRow, 'analysed' | 'running'>) {
  const { id, name, bytes, pages } = row;
  return { id, name, bytes, pages, createdAt: row.created_at.toISOString(), analysed, running };
}

export async function listDocuments({ actor }: { actor: UserActor }): Promise<{ documents: DocumentRow[] }> {
  const rows = await documentsOf(database(), actor.userId, LIST_LIMIT);
  return { documents: rows.map((row) => toRow(row, row)) };
}

function runView(run: RunRecord): RunView {
  return {
    id: run.generation_id ?? run.id,
    state: run.state,
    error: failureText(run.error_message),
    creditsCharged: run.credits_charged,
    createdAt: run.created_at.toISOString(),
  };
}

const analysisView = (run: RunRecord | undefined): AnalysisView | null =>
  run ? { ...runView(run), findings: run.result as Findings | null } : null;

export async function openDocument(args: DocumentInput): Promise<DocumentView> {
  const row = await ownRecord(args);
  const runs = await runsOf(database(), row.id, QUESTION_LIMIT);
  const readable = await textPagesOf(database(), row.id);
  const analyses = runs.filter(({ kind }) => kind === 'analysis');
  const analysis = analyses.findLast(({ state }) => isRunning(state)) ?? analyses.at(-1);
  const complete = analyses.findLast(({ state }) => state === 'done');
  const questions = runs
    .filter(({ kind }) => kind === 'question')
    .map(
      (run): AskedQuestion => ({
        ...runView(run),
        question: run.question ?? '',
        answer: run.result as Answer | null,
      }),
    );
  return {
    ...toRow(row, { analysed: complete !== undefined, running: isRunning(analysis?.state) }),
    pagesRead: row.pages_read,
    unread: Array.from({ length: row.pages }, (_, at) => at + 1).filter((page) => !readable.has(page)),
    note: describeNotes(row.note),
    analysis: analysisView(analysis),
    kept: complete === analysis ? null : analysisView(complete),
    questions,
  };
}

/** Runs one upload per person at a time. @throws Problem plan_required before anything else; rate_limited; too_large */
export async function withUploadSlot<T>(actor: UserActor, upload: () => Promise<T>): Promise<T> {
  await requirePlan(actor);
  const { userId } = actor;
  return withSlot(userId, async () => {
    await enforceLimit(`documents:${userId}`, UPLOAD_LIMIT, m.pdfs_too_often());
    const { bytes, documents } = await storageUsed(database(), userId);
    if (bytes >= DOCUMENT_QUOTA.bytes || documents >= DOCUMENT_QUOTA.documents)
      throw new Problem('too_large', m.pdfs_quota());
    return upload();
  });
}

/** The file is written before its rows, so a crash can only leave an orphan file, which the sweep removes. */
export async function addDocument({
  actor,
  input,
}: ActorInput<{
  name: string;
  upload: Upload;
  signal: AbortSignal;
  /** Opens a protected file; never stored. */
  password?: string;
  onPage: OnPage;
}>): Promise<DocumentView> {
  const { name, upload, signal, password, onPage } = input;
  checkOffered('pdf');
  const { userId: user_id } = actor;
  const { row, pages } = await readDocument(name, upload, { key: user_id, signal, password, onPage });
  try {
    const written = await transaction((tx) =>
      insertDocument(tx, { ...row, user_id, created_at: null }, pages),
    );
    if (!written) throw signInRequired();
  } catch (error) {
    await removeFile(fileKey(row.file_key));
    throw error;
  }
  return openDocument({ actor, input: { id: row.id } });
}

/** The caller must read or destroy the stream. */
export async function openDocumentFile(args: DocumentInput) {
  const row = await ownRecord(args);
  const file = await openFile(fileKey(row.file_key));
  if (!file) throw notFound();
  return { name: row.name, ...file };
}

/** Returns the PDF and, after an analysis, its findings as Markdown. */
export async function documentFiles(args: DocumentInput): Promise<ExportFile[]> {
  const row = await ownRecord(args);
  const file = { name: fileName(row), content: storedBytes(row.file_key) };
  const document = await openDocument(args);
  const findings = completeFindings(document);
  if (!findings) return [file];
  return [file, { name: `${file.name}.md`, content: findingsMarkdown(document, findings) }];
}

/** Hides the document; its text and file are erased after 30 minutes. */
export async function deleteDocument({ actor, input }: DocumentInput): Promise<void> {
  const { id } = await ownRecord({ actor, input });
  if (!(await softDeleteDocument(database(), actor.userId, id))) throw notFound();
  await stopRuns(actor, await openRunsOf(database(), id));
}

export async function restoreDocument({ actor, input }: DocumentInput): Promise<DocumentRow> {
  if (!(await undeleteDocument(database(), actor.userId, requireUuid(input.id)))) throw notFound();
  const { analysed, running } = await openDocument({ actor, input });
  return toRow(await ownRecord({ actor, input }), { analysed, running });
}
