import { config } from '../../../platform/config/config.server.ts';
import { database } from '../../../platform/database/database.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { csvLine } from '../../../shared/csv.ts';
import { type Feature, featureTable } from '../contract.ts';
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
} from './contract.ts';
import { daysUntilToday, type EntryRow, entryRows, usageRows } from './store.server.ts';

const PAGE = 15;
/** Entries of one read of a download. */
const BATCH = 500;

function pathOf(kind: LedgerItem['kind'], id: string): string {
  return kind === 'chat' ? `/chat/${id}` : `/tools/${kind}/${id}`;
}

function entryOf(row: EntryRow): LedgerEntry {
  const { created_at, item_kind: kind, item_id: id, item_title: title, ...entry } = row;
  const item = kind && id ? { kind, title: title ?? '', path: pathOf(kind, id) } : null;
  return { ...entry, createdAt: created_at.toISOString(), item };
}

/** A question belongs to the tool that it is put to. */
const toolsOf = (tool: Feature): Feature[] => (tool === 'pdf' ? ['pdf', 'question'] : [tool]);

interface Window extends LedgerFilter {
  before: number | null;
  balance?: number;
  limit: number;
}

const read = (actor: UserActor, { before, balance, entry, tool, limit }: Window) =>
  entryRows(database(), {
    userId: actor.userId,
    before,
    balance: balance ?? null,
    entries: entry && entryGroups[entry],
    features: tool && toolsOf(tool),
    limit,
  });

/** One page of the actor's ledger, newest first. */
export async function ledger({
  actor,
  input,
}: {
  actor: UserActor;
  input: LedgerFilter & { before: number | null };
}): Promise<LedgerPage> {
  const rows = await read(actor, { ...input, limit: PAGE + 1 });
  const entries = rows.slice(0, PAGE).map(entryOf);
  return { entries, next: rows.length > PAGE ? (entries.at(-1)?.id ?? null) : null };
}

/** The actor's ledger as a table of RFC 4180, newest first, in parts. The mark at its start tells spreadsheets UTF-8. */
export async function* ledgerTable({
  actor,
  input,
}: {
  actor: UserActor;
  input: LedgerFilter;
}): AsyncGenerator<string> {
  yield `\ufeff${csvLine(['Date (UTC)', 'Entry', 'Tool', 'Item', 'Change', 'Balance after', 'Link'])}`;
  for (let last: LedgerEntry | undefined; ; ) {
    const from = last ? { before: last.id, balance: last.balance - last.delta } : { before: null };
    const entries = (await read(actor, { ...input, ...from, limit: BATCH })).map(entryOf);
    yield entries.map(lineOf).join('');
    last = entries.at(-1);
    if (!last || entries.length < BATCH) return;
  }
}

function lineOf({ createdAt, entry, feature, item, reason, delta, balance }: LedgerEntry): string {
  const tool = feature ? featureTable[feature].name : '';
  const link = item ? config().publicUrl + item.path : '';
  return csvLine([createdAt, entryNames[entry], tool, item?.title ?? reason, delta, balance, link]);
}

/** What the actor used in the last 30 days, by tool. */
export async function usage({ actor }: { actor: UserActor }): Promise<UsageView> {
  const [span, rows] = await Promise.all([
    daysUntilToday(database(), usageDays),
    usageRows(database(), actor.userId, usageDays),
  ]);
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
  return { ...span, tools };
}
