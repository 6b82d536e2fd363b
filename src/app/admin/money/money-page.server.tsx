import { overview, paymentProvider } from '#features/billing/service.server.ts';
import { database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { decimalAmount } from '#shared/decimal-amount.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { type RevenueFigures, revenueByDay } from '../../operator/business-figures.server.ts';
import { revenueRows } from '../../operator/stats.server.ts';
import { ActForm } from '../act-form.tsx';
import { adminPage } from '../admin-page.server.tsx';
import type { AdminRequest } from '../admin-request.server.ts';
import { BarChart } from '../bar-chart.tsx';
import { PersonLink, Time } from '../cells.tsx';
import { Period, periodOf } from '../period.tsx';
import { SmallTable } from '../small-table.tsx';

/** Every day of the period has its bar. */
async function daysOf(days: number): Promise<string[]> {
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
  const of = new Map(revenue.filter((each) => each.currency === currency).map((each) => [each.day, each]));
  return (
    <BarChart
      title={`Paid by day, ${currency}`}
      columns={['Day', 'Paid', 'Given back since']}
      format={decimalAmount}
      bars={days.map((day) => ({
        label: day,
        value: of.get(day)?.cents ?? 0,
        part: of.get(day)?.refunded_cents ?? 0,
      }))}
    />
  );
}

type Lists = Awaited<ReturnType<typeof overview>>['lists'];

function Waiting({ lists }: { lists: Lists }) {
  const open = lists.filter(({ rows }) => rows.length > 0);
  return open.length === 0 ? (
    <Notice kind="success">
      Nothing waits for somebody: no dispute, no renewal that failed, and what is stored agrees with the
      provider.
    </Notice>
  ) : (
    open.map(({ title, rows }) => (
      <SmallTable
        key={title}
        title={`${title}: ${rows[0]?.total ?? 0}`}
        columns={['When (UTC)', 'Person', 'What']}
        none=""
        rows={rows.map(({ at, user_id, text }) => ({
          key: `${at.toISOString()} ${user_id} ${text}`,
          cells: [<Time key="at" at={at} />, <PersonLink key="person" id={user_id} email="Open" />, text],
        }))}
      />
    ))
  );
}

function Acts() {
  return paymentProvider() ? (
    <section className="row items-start" aria-label="Acts">
      <Button href="/admin/payments">All payments</Button>
      <Button href="/admin/events">Webhook events</Button>
      <ActForm
        name="Compare with the provider"
        action="/admin/money/reconcile"
        verb="Read every subscription there"
        reason={false}
        says="Reads each subscription at the payment provider and puts right what its events have missed. What differed is listed below, under what was put right."
      />
      <ActForm
        name="Replay failed events"
        action="/admin/events/replay"
        verb="Apply them again"
        reason={false}
        says="What was applied before changes nothing."
      />
    </section>
  ) : (
    <Notice kind="info">No payment provider is set: CREEM_API_KEY brings one.</Notice>
  );
}

export async function moneyPage(request: AdminRequest): Promise<Response> {
  const days = periodOf(request.query);
  const [revenue, shown, { states, lists }] = await Promise.all([
    revenueByDay(database(), days),
    daysOf(days),
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
        <Acts />
        {currencies.length === 0 ? <p className="muted">Nothing was paid in this period.</p> : null}
        {currencies.map((currency) => (
          <RevenueChart key={currency} revenue={revenue} currency={currency} days={shown} />
        ))}
        <SmallTable
          title="Sums of these days"
          columns={['Currency', 'Payments', 'Paid', 'Given back since', 'Left']}
          figuresFrom={1}
          none="None."
          rows={revenueRows(revenue).map((cells) => ({ key: String(cells[0]), cells }))}
        />
        <SmallTable
          title="Subscriptions"
          columns={['State', 'How many']}
          figuresFrom={1}
          none="Nobody has bought a plan."
          rows={states.map(({ state, count }) => ({ key: state, cells: [state, count] }))}
        />
        <Waiting lists={lists} />
      </>
    ),
  });
}
