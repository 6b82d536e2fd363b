import { z } from 'zod';
import { formatCredits } from '#features/credits/contract.ts';
import { type Database, database, transaction } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { pressWasRecorded, recordAction } from '#platform/operator-actions.server.ts';
import { definitionOf } from '#platform/settings/setting-definitions.server.ts';
import { type AdminRequest, readForm } from './admin-request.server.ts';
import { capitalize } from './cells.tsx';

const press = z.uuid();

export interface AdminAction {
  operator: string;
  operatorId: string;
  reason: string;
  press: string;
}

export const reasonField = { reason: z.string().trim().min(1, 'is required').max(300) };

/** Reads a form that changes something, including its idempotency key `press` (see `PressField`). */
export async function readAction<Shape extends z.ZodRawShape>(
  request: AdminRequest,
  shape: Shape,
): Promise<{ action: AdminAction; fields: z.output<z.ZodObject<Shape>> }> {
  const commonFields = { press, reason: z.string().trim().max(300).default('') };
  const parsed = await readForm(request, z.object({ ...commonFields, ...shape }));
  const { email, actor } = request.operator;
  const common = parsed as { press: string; reason: string };
  const action = { operator: email, operatorId: actor.userId, press: common.press, reason: common.reason };
  return { action, fields: parsed as z.output<z.ZodObject<Shape>> };
}

export const wasRecorded = ({ press }: AdminAction): Promise<boolean> => pressWasRecorded(database(), press);

/** Redirects to a page that shows what was done. */
export function redirectAfterAction({ c }: AdminRequest, path: string, { press }: AdminAction): Response {
  return c.redirect(`${path}${path.includes('?') ? '&' : '?'}done=${press}`, 303);
}

/**
 * Records an action and runs `work` in the same transaction, unless this press is already recorded.
 * @param entry `details` are kept permanently, so they must not contain anything that a person wrote.
 */
export async function performOnce(
  action: AdminAction,
  entry: { action: string; userId?: string; details?: object },
  work: (tx: Database) => Promise<unknown>,
): Promise<void> {
  await transaction(async (tx) => {
    if ((await recordAction(tx, { ...action, ...entry })) !== null) await work(tx);
  });
}

interface StoredAction {
  action: string;
  details: Record<string, unknown>;
}

const labelsOf = (names: unknown): string =>
  (names as string[]).map((name) => definitionOf(name)?.label ?? name).join('; ');

const promptDecisions: Record<string, string> = {
  approve: 'Published.',
  reject: 'Rejected.',
  unpublish: 'Unpublished.',
  keep: 'Closed the reports.',
};

/** Messages about finished actions, by their names. `details` can contain untrusted text. */
const doneTexts: Record<string, (details: Record<string, unknown>) => string> = {
  export: ({ table }) => `Exported “${table}”.`,
  grant: ({ credits }) => `Gave ${formatCredits(Number(credits))}.`,
  take: ({ credits }) => `Removed ${formatCredits(Number(credits))}.`,
  plan: ({ plan, endsAt }) =>
    `Gave ${capitalize(String(plan))} ${endsAt ? `until ${String(endsAt).slice(0, 10)}` : 'with no end date'}.`,
  revoke: () => 'Ended the complimentary plan.',
  refund: () => 'Refund requested. The state of the payment shows whether the provider has made it.',
  replay: ({ events, failed }) =>
    `Replayed events: ${Number(events) - Number(failed)} applied, ${failed} failed.`,
  reconcile: ({ read, drift, missing, failed }) =>
    `Checked ${read}: ${drift} fixed, ${missing} not found at the provider, ${failed} could not be read.`,
  prompt: ({ decision }) => promptDecisions[String(decision)] ?? `Decided: ${decision}.`,
  share: ({ decision }) =>
    decision === 'keep' ? 'Closed the reports.' : 'Taken down: its address now returns 404.',
  message: ({ reference }) => `Marked ${reference} as answered.`,
  'newsletter trial': () => 'The test arrives at your address within a minute.',
  newsletter: ({ mails }) => `Sending to all subscribers (${mails}).`,
  settings: ({ change, names }) => `Saved as change ${change}: ${labelsOf(names)}.`,
  'settings undone': ({ undone, names, kept }) =>
    `Undid change ${undone}: ${labelsOf(names)}.${labelsOf(kept) && ` Left as is, because it changed again later: ${labelsOf(kept)}.`}`,
  ban: () => 'Banned and signed out everywhere. Running work is being stopped.',
  unban: () => 'Lifted the ban.',
  sessions: () => 'Signed out everywhere.',
  archive: () => 'Downloaded the data archive.',
  erase: ({ now }) =>
    now ? 'Deleted. Erasing it now.' : 'Deleted. It can be restored for 30 days, then it is erased.',
};

export const describeAction = ({ action, details }: StoredAction): string =>
  doneTexts[action]?.(details) ?? `Done: ${action}.`;

export async function doneMessage({ query, operator }: AdminRequest): Promise<string | null> {
  const id = press.safeParse(query.get('done'));
  if (!id.success) return null;
  const row = await database().row<StoredAction>(sql`
    select action, details from operator_actions
     where press = ${id.data}::uuid and operator_id = ${operator.actor.userId}::uuid
       and created_at > app_now() - interval '10 minutes'`);
  return row && describeAction(row);
}
