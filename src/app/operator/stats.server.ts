import { countedViews } from '#features/analytics/service.server.ts';
import { type Feature, featureTable } from '#features/credits/contract.ts';
import type { Database } from '#platform/database/database.server.ts';
import { csvLine } from '#shared/csv.ts';
import { decimalAmount } from '#shared/decimal-amount.ts';
import { figuresByDay, figuresByTool, type RevenueFigures, revenueByDay } from './business-figures.server.ts';

/** The first cell of each row is its name. */
export interface StatsTable {
  title: string;
  columns: string[];
  rows: Array<Array<string | number>>;
}

const formatPaid = (revenue: RevenueFigures[], day: string) =>
  revenue
    .filter((each) => each.day === day)
    .map(({ cents, currency }) => `${decimalAmount(cents)} ${currency}`)
    .join(' + ');

export function revenueRows(revenue: RevenueFigures[]): StatsTable['rows'] {
  return [...new Set(revenue.map(({ currency }) => currency))].map((currency) => {
    const sum = (field: 'payments' | 'cents' | 'refunded_cents') =>
      revenue.filter((each) => each.currency === currency).reduce((total, each) => total + each[field], 0);
    const [paid, refunded] = [sum('cents'), sum('refunded_cents')];
    return [
      currency,
      sum('payments'),
      decimalAmount(paid),
      decimalAmount(refunded),
      decimalAmount(paid - refunded),
    ];
  });
}

const nameOf = (feature: string) => featureTable[feature as Feature]?.name ?? feature;

export async function stats(db: Database, days: number): Promise<StatsTable[]> {
  const [views, byDay, tools, revenue] = await Promise.all([
    countedViews(days),
    figuresByDay(db, days),
    figuresByTool(db, days),
    revenueByDay(db, days),
  ]);
  const viewsByDay = new Map(views.byDay.map((each) => [each.day, each.views]));
  const viewsTable = (title: string, rows: typeof views.page): StatsTable => ({
    title,
    columns: [title, 'views'],
    rows: rows.map((row) => [row.value, row.views]),
  });
  return [
    {
      title: 'Day',
      columns: ['Day', 'views', 'accounts', 'runs', 'credits', 'plans started', 'plans ended', 'paid'],
      rows: byDay.map(({ day, accounts, runs, credits, started, ended }) => [
        day,
        viewsByDay.get(day) ?? 0,
        accounts,
        runs,
        credits,
        started,
        ended,
        formatPaid(revenue, day),
      ]),
    },
    viewsTable('Page', views.page),
    viewsTable('Referrer', views.referrer),
    viewsTable('Language', views.language),
    viewsTable('Width', views.width),
    {
      title: 'Tool',
      columns: [
        'Tool',
        'runs',
        'done',
        'failed',
        'credits',
        'gateway USD',
        'estimated USD',
        'calls unpriced',
      ],
      rows: tools.map(({ feature, runs, done, failed, credits, cost_micros, estimated_micros, unpriced }) => [
        nameOf(feature),
        runs,
        done,
        failed,
        credits,
        (cost_micros / 1e6).toFixed(4),
        (estimated_micros / 1e6).toFixed(4),
        unpriced,
      ]),
    },
    {
      title: 'Revenue',
      columns: ['Revenue', 'payments', 'paid', 'refunded', 'net'],
      rows: revenueRows(revenue),
    },
  ];
}

/** Returns CSV as in RFC 4180. */
export function statsCsv(tables: StatsTable[]): string {
  const lines = tables.flatMap(({ title, columns, rows }) =>
    rows.flatMap(([name = '', ...cells]) =>
      cells.map((cell, at) => csvLine([title, name, columns[at + 1] ?? '', cell])),
    ),
  );
  return csvLine(['table', 'name', 'figure', 'value']) + lines.join('');
}

export function statsText({ columns, rows }: StatsTable, maxRows = Number.POSITIVE_INFINITY): string {
  if (rows.length === 0) return `${columns[0]}: none`;
  const lines = [columns, ...rows.slice(0, maxRows)].map((row) => row.map(String));
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const text = lines.map((line) =>
    line
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  if (rows.length > maxRows) text.push(`(${rows.length - maxRows} more with --csv)`);
  return text.join('\n');
}
