import { z } from 'zod';
import type { ExportEntries } from '#platform/data-export.server.ts';
import { database } from '#platform/database/database.server.ts';
import { everyRow } from '#platform/database/page.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import { csvLine } from '#shared/csv.ts';
import { describeReason } from './ledger/entry-reason.server.ts';
import { type LedgerRow, ledgerRows } from './store.server.ts';

const ENTRIES = 100;

type Entry = Omit<LedgerRow, 'source' | 'cause'>;

async function* everyEntry({ userId }: UserActor): AsyncGenerator<Entry> {
  const rows = everyRow<LedgerRow>(ENTRIES, (last, size) =>
    ledgerRows(database(), userId, last?.id ?? null, size),
  );
  for await (const { source, cause, reason, ...row } of rows)
    yield { ...row, reason: describeReason({ source, cause, reason }) };
}

/** The byte order mark tells spreadsheets that the file is UTF-8. */
export async function* ledgerCsv(entries: AsyncIterable<Entry>): AsyncGenerator<string> {
  yield '\ufeffid,date,kind,change,feature,reason\r\n';
  for await (const { id, created_at, kind, delta, feature, reason } of entries)
    yield csvLine([id, created_at.toISOString(), kind, delta, feature, reason]);
}

export const creditsExportEntries = {
  json: {
    ledger: {
      schema: z.array(
        z.object({
          id: z.int(),
          createdAt: z.iso.datetime(),
          kind: z.string(),
          delta: z.int(),
          feature: z.string().nullable(),
          reason: z.string(),
        }),
      ),
      read: everyEntry,
    },
  },
  async *files(actor: UserActor) {
    yield { name: 'ledger.csv', content: ledgerCsv(everyEntry(actor)) };
  },
} satisfies ExportEntries;
