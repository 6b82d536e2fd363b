import { expect, test } from 'vitest';
import { ledgerCsv } from './export-entries.server.ts';

test('a CSV file starts with a byte order mark and ends each line with CR LF', async () => {
  const entry = {
    id: 7,
    created_at: new Date('2026-11-21T00:00:00Z'),
    kind: 'hold',
    delta: -1,
    feature: 'chat',
  };
  async function* one() {
    yield { ...entry, reason: '=1+1' };
  }
  let table = '';
  for await (const line of ledgerCsv(one())) table += line;
  expect(table).toBe(
    "\ufeffid,date,kind,change,feature,reason\r\n7,2026-11-21T00:00:00.000Z,hold,-1,chat,'=1+1\r\n",
  );
});
