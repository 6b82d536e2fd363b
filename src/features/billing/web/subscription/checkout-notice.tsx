import { money, type PlanDuration, priceTable, seller } from '../../../credits/contract.ts';
import { useCheckout } from '../use-checkout.ts';
import { proFor } from './words.ts';

/** For somebody whose checkout could not be made after the sign-in: what happened, and the way to try again. */
export function CheckoutNotice({ plan }: { plan: PlanDuration }) {
  const { busy, failure, begin } = useCheckout();
  return (
    <section className="notice notice-info checkout-notice" aria-labelledby="checkout-notice">
      <h2 id="checkout-notice" className="text-md font-semibold">
        {`${proFor(plan)} is not bought yet`}
      </h2>
      <p>
        {`The checkout at ${seller} could not be opened when you signed in. Nothing was charged. It is ${money(priceTable[plan].priceCents)} for ${priceTable[plan].period.toLowerCase()}, taxes of your country included. Pro renews until you cancel.`}
      </p>
      {failure ? (
        <p className="notice notice-danger" role="alert">
          {failure}
        </p>
      ) : null}
      <button type="button" className="btn btn-primary" aria-busy={busy} onClick={() => busy || begin(plan)}>
        Continue to checkout
      </button>
    </section>
  );
}
