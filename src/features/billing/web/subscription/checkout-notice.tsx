import { useState } from 'react';
import { json, request } from '../../../../client/request.ts';
import { money, type PlanDuration, priceTable } from '../../../credits/contract.ts';
import { billingTexts, paymentProvider } from '../../contract.ts';
import { textOf } from './use-change.ts';
import { proFor } from './words.ts';

/** For somebody whose checkout could not be made after the sign-in: what happened, and the way to try again. */
export function CheckoutNotice({ plan }: { plan: PlanDuration }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const start = async () => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      const { url } = await request<{ url: string }>('/api/checkouts', json('POST', { plan }));
      window.location.assign(url);
    } catch (failure) {
      setError(textOf(failure, billingTexts.startFailed));
      setBusy(false);
    }
  };
  return (
    <section className="notice notice-info checkout-notice" aria-labelledby="checkout-notice">
      <h2 id="checkout-notice" className="text-md font-semibold">
        {`${proFor(plan)} is not bought yet`}
      </h2>
      <p>
        {`The checkout at ${paymentProvider} could not be opened when you signed in. Nothing was charged. It is ${money(priceTable[plan].priceCents)} for ${priceTable[plan].period.toLowerCase()}.`}
      </p>
      {error ? (
        <p className="notice notice-danger" role="alert">
          {error}
        </p>
      ) : null}
      <button type="button" className="btn btn-primary" aria-busy={busy} onClick={start}>
        Continue to checkout
      </button>
    </section>
  );
}
