import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import { database } from '#platform/database/database.server.ts';
import { pageOf } from '#platform/database/page.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { csvLine } from '#shared/csv.ts';
import { type Feature, featureTable } from '../contract.ts';
import { describeReason } from './entry-reason.server.ts';
import {
  countedFeatures,
  entryGroups,
  entryNames,
  type LedgerEntry,
  type LedgerFilter,
  type LedgerItem,
  type LedgerPage,
  type UsageView,
  usageDays,
} from './ledger-contract.ts';
import {
  type EntryRow,
  entryRows,
  findWorkOfRun,
  usageOfDays,
  type WorkOfRun,
} from './ledger-store.server.ts';

const PAGE = 15;
const BATCH = 500;

const pathOf = (kind: Feature, id: string) => `${featureTable[kind].page}/${id}`;

function toEntry(row: EntryRow): LedgerEntry {
  const {
    created_at,
    item_kind: kind,
    item_id: id,
    item_title: title,
    source,
    cause,
    reason,
    ...entry
  } = row;
  const item = kind && id ? { kind, title: title ?? '', path: pathOf(kind, id) } : null;
  const reasonText = describeReason({ source, cause, reason });
  return { ...entry, createdAt: created_at.toISOString(), reason: reasonText, item };
}

const toFeatures = (tool: Feature): Feature[] => (tool === 'pdf' ? ['pdf', 'question'] : [tool]);

interface EntryWindow extends LedgerFilter {
  before: number | null;
  balance?: number;
  limit: number;
}

const readEntries = (actor: UserActor, { before, balance, entry, tool, limit }: EntryWindow) =>
  entryRows(database(), {
    userId: actor.userId,
    before,
    balance: balance ?? null,
    entries: entry && entryGroups[entry],
    features: tool && toFeatures(tool),
    limit,
  });

/** Returns what a run that ended in the last `minutes` made; null if deleted, or made in a temporary chat. */
export async function findEndedWork({
  generationId,
  minutes,
}: {
  generationId: string;
  minutes: number;
}): Promise<(WorkOfRun & LedgerItem) | null> {
  const row = await findWorkOfRun(database(), generationId, minutes);
  return row && { ...row, path: pathOf(row.kind, row.id) };
}

export async function ledger({
  actor,
  input,
}: ActorInput<LedgerFilter & { before: number | null }>): Promise<LedgerPage> {
  const rows = await readEntries(actor, { ...input, limit: PAGE + 1 });
  const page = pageOf(rows, PAGE, ({ id }) => id);
  return { entries: page.rows.map(toEntry), next: page.next };
}

/** CSV as in RFC 4180. The byte order mark tells spreadsheets that the file is UTF-8. */
export async function* ledgerTable({ actor, input }: ActorInput<LedgerFilter>): AsyncGenerator<string> {
  const head = [m.ledger_csv_date(), m.ledger_entry(), m.ledger_tool(), m.ledger_csv_item()];
  yield `\ufeff${csvLine([...head, m.ledger_change(), m.ledger_csv_balance(), m.ledger_csv_link()])}`;
  for (let last: LedgerEntry | undefined; ; ) {
    const from = last ? { before: last.id, balance: last.balance - last.delta } : { before: null };
    const entries = (await readEntries(actor, { ...input, ...from, limit: BATCH })).map(toEntry);
    yield entries.map(toCsvLine).join('');
    last = entries.at(-1);
    if (!last || entries.length < BATCH) return;
  }
}

function toCsvLine({ createdAt, entry, feature, item, reason, delta, balance }: LedgerEntry): string {
  const tool = feature ? featureTable[feature].name : '';
  const link = item ? config().publicUrl + item.path : '';
  return csvLine([createdAt, entryNames[entry](), tool, item?.title ?? reason, delta, balance, link]);
}

export async function usage({ actor }: { actor: UserActor }): Promise<UsageView> {
  const { from, to, rows } = await usageOfDays(database(), actor.userId, usageDays);
  const tools = countedFeatures.map((feature) => {
    const days = new Array<number>(usageDays).fill(0);
    let [runs, credits] = [0, 0];
    for (const row of rows.filter((each) => each.feature === feature)) {
      days[row.day] = row.runs;
      runs += row.runs;
      credits += row.credits;
    }
    return { feature, runs, credits, days };
  });
  return { from, to, tools };
}
