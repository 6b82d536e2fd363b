import { formatMoney, type PlanDuration, priceTable, seller } from '#features/credits/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { useCheckout } from '../use-checkout.ts';
import { proLabel } from './plan-labels.ts';

export function CheckoutNotice({ plan }: { plan: PlanDuration }) {
  const { busy, failure, begin } = useCheckout();
  return (
    <Notice
      as="section"
      kind="info"
      className="checkout-notice grid gap-2 justify-items-start p-4"
      aria-labelledby="checkout-notice"
    >
      <h2 id="checkout-notice" className="text-md font-semibold">
        {m.billing_unfinished_title({ plan: proLabel(plan) })}
      </h2>
      <p>{m.billing_unfinished({ seller, plan, price: formatMoney(priceTable[plan].priceCents) })}</p>
      {failure ? <Notice kind="danger">{failure}</Notice> : null}
      <Button className="mt-1" look="primary" aria-busy={busy} onClick={() => busy || begin(plan)}>
        {m.billing_continue()}
      </Button>
    </Notice>
  );
}
