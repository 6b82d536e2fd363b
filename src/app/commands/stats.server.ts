import process from 'node:process';
import { parseArgs } from 'node:util';
import { database } from '#platform/database/database.server.ts';
import { type StatsTable, stats, statsCsv, statsText } from '../operator/stats.server.ts';
import { reportCommandError, runCommand } from './run-command.server.ts';
import { printLine } from './terminal-output.server.ts';

const help = `npm run stats                    the last 30 days (UTC), including today; days with no activity are left out
npm run stats -- --days 90       another number of days, from 1 to 800
npm run -s stats -- --csv        the same in full, as one table: table,name,figure,value
Views count only visitors who accepted analytics, and no bots. Accounts, runs, credits, plans and payments count everyone.`;

const options = {
  days: { type: 'string', default: '30' },
  csv: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const MAX_ROWS = 20;

const withoutEmptyRows = (table: StatsTable): StatsTable => ({
  ...table,
  rows: table.rows.filter(
    (row, at) => at === table.rows.length - 1 || row.slice(1).some((figure) => figure !== 0 && figure !== ''),
  ),
});

class UsageError extends Error {}

async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options });
  if (values.help) return void printLine(help);
  const days = /^\d{1,3}$/.test(values.days) ? Number(values.days) : 0;
  if (days < 1 || days > 800) throw new UsageError(help);
  await runCommand(async () => {
    const tables = await stats(database(), days);
    if (values.csv) process.stdout.write(statsCsv(tables));
    else
      printLine(
        tables
          .map((table) =>
            table.title === 'Day' ? statsText(withoutEmptyRows(table)) : statsText(table, MAX_ROWS),
          )
          .join('\n\n'),
      );
  });
}

await reportCommandError(main(process.argv.slice(2)), UsageError);
