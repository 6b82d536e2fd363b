import { createOperator } from '../support/admin.ts';
import { runJob } from '../support/files.ts';
import { createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { pageHeaders, timeRequest, timesOf } from './growth.ts';
import { seedDays, seedPeople, yearSize } from './seed-year.ts';

/** Requests per row. */
const TRIES = 12;

interface LedgerView {
  next: string | null;
}

/** Returns the URL of the ledger page that follows `pages` pages, or of the last page. */
async function ledgerPage(person: Person, pages: number): Promise<string> {
  let path = '/api/me/ledger';
  for (let page = 0; page < pages; page++) {
    const { next } = (await (await person.get(path)).json()) as LedgerView;
    if (next === null) break;
    path = `/api/me/ledger?before=${encodeURIComponent(next)}`;
  }
  return path;
}

/** Measures ledger, usage, event log and /admin after a month and after a year of a thousand people. */
export async function yearFigures(server: TestServer) {
  const [person, operator] = [await createPerson(server), await createOperator(server)];
  await seedPeople(server.databaseUrl, person.id);
  const measurePages = async () => {
    const ownPages: Array<[string, string]> = [
      ['ledger, first page', '/api/me/ledger'],
      ['ledger, last of the month', await ledgerPage(person, 5)],
      ['ledger, of one tool', '/api/me/ledger?tool=writer'],
      ['/api/me/usage', '/api/me/usage'],
      ['/dashboard', '/dashboard'],
    ];
    const pages = [
      '/people',
      '/people?q=person%20999',
      `/people/${person.id}`,
      '/money',
      '/money?days=365',
      '/runs',
    ];
    const morePages = [
      '/margin',
      '/margin?days=365',
      '/margin/people?days=30',
      '/margin/people?days=365',
      '/ratings',
      '/messages',
      '/log',
      '/health',
    ];
    const rows: Array<{ what: string; 'median ms': number | string; 'p95 ms': number | string }> = [];
    const time = async (label: string, path: string, { cookie }: Person) => {
      const headers = { cookie, ...(path.startsWith('/api') ? {} : pageHeaders) };
      const row = await timesOf(label, () => timeRequest(server.url + path, headers), { tries: TRIES }).catch(
        (error: Error) => ({ what: label, 'median ms': error.message, 'p95 ms': '' }),
      );
      rows.push(row);
    };
    for (const [label, path] of ownPages) await time(label, path, person);
    for (const path of [...pages, ...morePages])
      await time(`/admin${path.replace(person.id, ':id')}`, `/admin${path}`, operator);
    return rows;
  };
  /** Recomputes all costs, as the nightly jobs of these days would have. */
  const sumCosts = async () => {
    await server.database.query(`delete from instance_values where key = 'costs-summed-until'`);
    await server.database.query('truncate cost_days, person_cost_days, person_cost_months');
    const startedAt = performance.now();
    await runJob(server, 'sum-costs');
    const ms = Math.round(performance.now() - startedAt);
    return { what: 'costs of all days summed, once', 'median ms': ms, 'p95 ms': '' };
  };
  await seedDays(server.databaseUrl, { to: 1, from: 31 });
  const month = [await sumCosts(), ...(await measurePages())];

  await seedDays(server.databaseUrl, { to: 31, from: 366 });
  const year = [await sumCosts(), ...(await measurePages())];
  return month.map((row, at) => ({
    what: row.what,
    [`a month: ${yearSize.people * yearSize.runs * 30} runs, median ms`]: row['median ms'],
    'p95 ms': row['p95 ms'],
    [`a year: ${yearSize.people * yearSize.runs * 365} runs, median`]: year[at]?.['median ms'],
    p95: year[at]?.['p95 ms'],
  }));
}
