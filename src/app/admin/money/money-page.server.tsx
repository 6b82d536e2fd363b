import { overview, paymentProvider } from '#features/billing/service.server.ts';
import { database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { decimalAmount } from '#shared/decimal-amount.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { type RevenueFigures, revenueByDay } from '../../operator/business-figures.server.ts';
import { revenueRows } from '../../operator/stats.server.ts';
import { ActionForm } from '../action-form.tsx';
import { adminPage } from '../admin-page.server.tsx';
import type { AdminRequest } from '../admin-request.server.ts';
import { BarChart } from '../bar-chart.tsx';
import { PersonLink, Time } from '../cells.tsx';
import { Period, readPeriod } from '../period.tsx';
import { SmallTable } from '../small-table.tsx';

/** Returns all days of the period (ISO dates), so that days without payments have a bar too. */
async function listDays(days: number): Promise<string[]> {
  const rows = await database().rows<{ day: string }>(sql`
    select (app_day() - n * interval '1 day')::date::text as day from generate_series(${days - 1}::int, 0, -1) n`);
  return rows.map(({ day }) => day);
}

function RevenueChart({
  revenue,
  currency,
  days,
}: {
  revenue: RevenueFigures[];
  currency: string;
  days: string[];
}) {
  const byDay = new Map(revenue.filter((each) => each.currency === currency).map((each) => [each.day, each]));
  return (
    <BarChart
      title={`Payments by day, ${currency}`}
      columns={['Day', 'Paid', 'Refunded']}
      emptyText="No payments in this period."
      format={decimalAmount}
      bars={days.map((day) => ({
        label: day,
        value: byDay.get(day)?.cents ?? 0,
        part: byDay.get(day)?.refunded_cents ?? 0,
      }))}
    />
  );
}

type Lists = Awaited<ReturnType<typeof overview>>['lists'];

function OpenIssues({ lists }: { lists: Lists }) {
  const open = lists.filter(({ rows }) => rows.length > 0);
  return open.length === 0 ? (
    <Notice kind="success">
      Nothing needs your attention: no disputes, no failed renewals, and stored data matches the provider.
    </Notice>
  ) : (
    open.map(({ title, rows }) => (
      <SmallTable
        key={title}
        title={`${title}: ${rows[0]?.total ?? 0}`}
        columns={['When (UTC)', 'Person', 'Details']}
        emptyText=""
        rows={rows.map(({ at, user_id, text }) => ({
          key: `${at.toISOString()} ${user_id} ${text}`,
          cells: [<Time key="at" at={at} />, <PersonLink key="person" id={user_id} email="Open" />, text],
        }))}
      />
    ))
  );
}

function Actions() {
  return paymentProvider() ? (
    <section className="row items-start" aria-label="Actions">
      <Button href="/admin/payments">All payments</Button>
      <Button href="/admin/events">Webhook events</Button>
      <ActionForm
        name="Compare with the provider"
        action="/admin/money/reconcile"
        verb="Check every subscription"
        reason={false}
        description="Checks every subscription with the payment provider and fixes whatever its events missed. Fixes are listed below."
      />
      <ActionForm
        name="Replay failed events"
        action="/admin/events/replay"
        verb="Replay them"
        reason={false}
        description="Events that were already applied change nothing."
      />
    </section>
  ) : (
    <Notice kind="info">Payments are off. Set CREEM_API_KEY to turn them on.</Notice>
  );
}

export async function moneyPage(request: AdminRequest): Promise<Response> {
  const days = readPeriod(request.query);
  const [revenue, dayList, { states, lists }] = await Promise.all([
    revenueByDay(database(), days),
    listDays(days),
    overview(),
  ]);
  const currencies = [...new Set(revenue.map(({ currency }) => currency))];
  return adminPage(request, {
    title: 'Money',
    here: '/admin/money',
    children: (
      <>
        <div className="row justify-between">
          <h1 className="h2">Money</h1>
          <Period path="/admin/money" days={days} />
        </div>
        <Actions />
        {currencies.length === 0 ? <p className="muted">No payments in this period.</p> : null}
        {currencies.map((currency) => (
          <RevenueChart key={currency} revenue={revenue} currency={currency} days={dayList} />
        ))}
        <SmallTable
          title="Totals"
          columns={['Currency', 'Payments', 'Paid', 'Refunded', 'Net']}
          figuresFrom={1}
          emptyText="No payments."
          rows={revenueRows(revenue).map((cells) => ({ key: String(cells[0]), cells }))}
        />
        <SmallTable
          title="Subscriptions"
          columns={['State', 'Count']}
          figuresFrom={1}
          emptyText="No subscriptions yet."
          rows={states.map(({ state, count }) => ({ key: state, cells: [state, count] }))}
        />
        <OpenIssues lists={lists} />
      </>
    ),
  });
}
