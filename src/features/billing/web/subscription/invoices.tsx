import { useState } from 'react';
import { useLoadedState } from '#client/use-loaded-state.ts';
import { errorText, useMutation } from '#client/use-mutation.ts';
import { formatCredits, seller } from '#features/credits/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { PagedTable } from '#ui/paged-table.tsx';
import { type InvoicePage, type InvoiceRow, planButtons } from '../../contract.ts';
import { fetchInvoices, openPortal } from './billing-api.ts';
import { formatAmount, proLabel } from './plan-labels.ts';

const short = { dateStyle: 'medium' } as const;
const stateNames: Record<InvoiceRow['state'], () => string> = {
  paid: m.payments_paid,
  refund_pending: m.plan_state_refund_pending,
  refunded: m.plan_state_refunded,
  partially_refunded: m.payments_partially_refunded,
  disputed: m.plan_state_disputed,
};

function Row({ invoice }: { invoice: InvoiceRow }) {
  const { paidAt, plan, credits, amountCents, refundedCents, currency, state, periodStart, periodEnd } =
    invoice;
  return (
    <tr>
      <td>
        <LocalTime iso={paidAt} format={short} />
      </td>
      <th scope="row">
        {plan ? proLabel(plan) : formatCredits(credits ?? 0)}
        {periodStart && periodEnd ? (
          <span className="fine block font-normal">
            {m.plan_period({
              start: () => <LocalTime iso={periodStart} format={short} />,
              end: () => <LocalTime iso={periodEnd} format={short} />,
            })}
          </span>
        ) : null}
      </th>
      <td>
        {stateNames[state]()}
        {state === 'partially_refunded' ? (
          <span className="fine block">
            {m.payments_refunded_amount({ amount: formatAmount(refundedCents, currency) })}
          </span>
        ) : null}
      </td>
      <td className="figure [font-variant-numeric:normal]">{formatAmount(amountCents, currency)}</td>
    </tr>
  );
}

export function Invoices({ first }: { first: InvoicePage }) {
  const [page, setPage] = useLoadedState(first);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const load = async () => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      const { invoices, next } = await fetchInvoices(page.next);
      setPage((current) => ({ invoices: [...current.invoices, ...invoices], next }));
    } catch (failure) {
      setError(errorText(failure, m.payments_failed()));
    }
    setBusy(false);
  };
  if (page.invoices.length === 0) return <p className="muted">{m.payments_none()}</p>;
  return (
    <>
      <PagedTable
        caption={m.payments_caption()}
        columns={[
          { label: m.payments_date() },
          { label: m.ledger_for() },
          { label: m.payments_status() },
          { label: m.payments_amount(), className: 'figure' },
        ]}
        more={page.next ? { label: m.payments_more(), busy, load: () => void load() } : null}
      >
        {page.invoices.map((invoice) => (
          <Row key={invoice.id} invoice={invoice} />
        ))}
      </PagedTable>
      {error ? <Notice kind="danger">{error}</Notice> : null}
    </>
  );
}

/** `focusTo`: id of the element that gets the focus when a control disappears. */
export function SellerInvoices({ focusTo }: { focusTo: string }) {
  const { busy, error, change } = useMutation(focusTo);
  const open = () =>
    void change({ key: 'portal', work: openPortal, apply: ({ url }) => window.location.assign(url) });
  return (
    <>
      <p className="fine">{m.payments_invoices({ seller })}</p>
      {error ? <Notice kind="danger">{error}</Notice> : null}
      <Button className="justify-self-start" aria-busy={busy !== null} onClick={open}>
        {planButtons.portal()}
      </Button>
    </>
  );
}
