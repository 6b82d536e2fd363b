import { database } from '#platform/database/database.server.ts';
import { decimalAmount } from '#shared/decimal-amount.ts';
import { Button } from '#ui/button.tsx';
import { revenueByDay } from '../../operator/business-figures.server.ts';
import { adminPage } from '../admin-page.server.tsx';
import type { AdminRequest } from '../admin-request.server.ts';
import { BarChart } from '../bar-chart.tsx';
import { Period, readPeriod } from '../period.tsx';
import { SmallTable } from '../small-table.tsx';
import { type CostRow, readCosts } from './margin-figures.server.ts';

const formatUsd = (micros: number) => (micros / 1e6).toFixed(4);

const columns = [
  'Runs',
  'Calls',
  'Tokens in',
  'Tokens out',
  'Credits',
  'Cost USD',
  'Estimated USD',
  'Unpriced calls',
];

function Costs({ title, name, rows }: { title: string; name: string; rows: CostRow[] }) {
  return (
    <SmallTable
      title={title}
      columns={[name, ...columns]}
      figuresFrom={1}
      emptyText="No runs in this period."
      rows={rows.map((row) => ({
        key: row.name,
        cells: [
          row.name,
          row.runs,
          row.calls,
          row.prompt_tokens,
          row.completion_tokens,
          row.credits,
          formatUsd(row.micros),
          formatUsd(row.estimated_micros),
          row.unpriced,
        ],
      }))}
    />
  );
}

export async function marginPage(request: AdminRequest): Promise<Response> {
  const days = readPeriod(request.query);
  const db = database();
  const [{ tools, models, plans, days: byDay }, revenue] = await Promise.all([
    readCosts(db, days),
    revenueByDay(db, days),
  ]);
  const cost = byDay.reduce((sum, { micros }) => sum + micros, 0);
  const currencies = [...new Set(revenue.map(({ currency }) => currency))];
  return adminPage(request, {
    title: 'Margin',
    here: '/admin/margin',
    children: (
      <>
        <div className="row justify-between">
          <h1 className="h2">Margin</h1>
          <Period path="/admin/margin" days={days} />
        </div>
        <SmallTable
          title="Revenue and gateway cost"
          columns={['Currency', 'Net revenue', 'Gateway cost']}
          figuresFrom={1}
          emptyText=""
          rows={[...new Set(['USD', ...currencies])].map((currency) => {
            const net = revenue
              .filter((each) => each.currency === currency)
              .reduce((sum, { cents, refunded_cents }) => sum + cents - refunded_cents, 0);
            return {
              key: currency,
              cells: [currency, decimalAmount(net), currency === 'USD' ? formatUsd(cost) : ''],
            };
          })}
        />
        <BarChart
          title="Gateway cost by day, USD"
          columns={['Day', 'USD']}
          emptyText="No gateway costs in this period."
          format={(micros) => (micros / 1e6).toFixed(micros !== 0 && micros < 1e6 ? 4 : 2)}
          bars={byDay.map(({ day, micros }) => ({ label: day, value: micros }))}
        />
        <Costs title="By tool" name="Tool" rows={tools} />
        <Costs title="By model" name="Model" rows={models} />
        <Costs title="By current plan" name="Plan" rows={plans} />
        <div>
          <Button href="/admin/margin/people">By person</Button>
        </div>
      </>
    ),
  });
}
