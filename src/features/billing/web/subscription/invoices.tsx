import { useState } from 'react';
import { LocalTime } from '../../../../ui/local-time.tsx';
import { seller } from '../../../credits/contract.ts';
import { type InvoicePage, type InvoiceRow, planButtons } from '../../contract.ts';
import { fetchInvoices, openPortal } from './api.ts';
import { textOf, useChange } from './use-change.ts';
import { amount, proFor } from './words.ts';

const short = { dateStyle: 'medium' } as const;
const stateNames: Record<InvoiceRow['state'], string> = {
  paid: 'Paid',
  refund_pending: 'Refund under way',
  refunded: 'Refunded',
  partially_refunded: 'Partly refunded',
  disputed: 'Disputed',
};

function Row({ invoice }: { invoice: InvoiceRow }) {
  const { paidAt, plan, amountCents, refundedCents, currency, state, periodStart, periodEnd } = invoice;
  return (
    <tr>
      <td>
        <LocalTime iso={paidAt} format={short} />
      </td>
      <th scope="row">
        {proFor(plan)}
        <span className="fine invoice-period">
          <LocalTime iso={periodStart} format={short} /> to <LocalTime iso={periodEnd} format={short} />
        </span>
      </th>
      <td>
        {stateNames[state]}
        {state === 'partially_refunded' ? (
          <span className="fine invoice-period">{amount(refundedCents, currency)} back</span>
        ) : null}
      </td>
      <td className="figure">{amount(amountCents, currency)}</td>
    </tr>
  );
}

/** The payments of a person, newest first. */
export function Invoices({ first }: { first: InvoicePage }) {
  const [seen, setSeen] = useState(first);
  const [page, setPage] = useState(first);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  if (seen !== first) {
    setSeen(first);
    setPage(first);
  }
  const more = async () => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      const { invoices, next } = await fetchInvoices(page.next);
      setPage((was) => ({ invoices: [...was.invoices, ...invoices], next }));
    } catch (failure) {
      setError(textOf(failure, 'The payments could not be loaded. Please try again.'));
    }
    setBusy(false);
  };
  if (page.invoices.length === 0) return <p className="muted">No payments yet.</p>;
  return (
    <>
      <table className="figures invoices">
        <caption className="visually-hidden">Payments, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Paid</th>
            <th scope="col">For</th>
            <th scope="col">State</th>
            <th scope="col" className="figure">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {page.invoices.map((invoice) => (
            <Row key={invoice.id} invoice={invoice} />
          ))}
        </tbody>
      </table>
      {error ? (
        <p className="notice notice-danger" role="alert">
          {error}
        </p>
      ) : null}
      {page.next ? (
        <button
          type="button"
          className="btn btn-secondary justify-self-start"
          aria-busy={busy}
          onClick={more}
        >
          Show older payments
        </button>
      ) : null}
    </>
  );
}

/** Where the invoices are: with who sells the plans. `focusTo` is the id of the part. */
export function SellerInvoices({ focusTo }: { focusTo: string }) {
  const { busy, error, change } = useChange(focusTo);
  const open = () =>
    void change({ which: 'portal', work: openPortal, apply: ({ url }) => window.location.assign(url) });
  return (
    <>
      <p className="fine">{`Invoices with taxes are at ${seller}.`}</p>
      {error ? (
        <p className="notice notice-danger" role="alert">
          {error}
        </p>
      ) : null}
      <button
        type="button"
        className="btn btn-secondary justify-self-start"
        aria-busy={busy !== null}
        onClick={open}
      >
        {planButtons.portal}
      </button>
    </>
  );
}
