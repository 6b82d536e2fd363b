import { X } from 'lucide-react';
import { billingTexts } from '../../../features/billing/contract.ts';

/**
 * Says that a payment was left. The enhancement module shows it on a return to a page that was kept, and takes it away
 * after its time; it stands in the margin of the page, so that nothing moves.
 */
export function CancelledBanner({ shown }: { shown: boolean }) {
  return (
    <div role="status" className="pricing-banner">
      <div id="payment-cancelled" className="notice" hidden={!shown}>
        <p>
          <strong>{billingTexts.cancelled}</strong> Nothing was charged. You can choose again at any time.
        </p>
        <button type="button" className="btn btn-ghost btn-icon js-only" aria-label="Close">
          <X size={16} strokeWidth={1.75} aria-hidden="true" />
        </button>
      </div>
    </div>
  );
}
