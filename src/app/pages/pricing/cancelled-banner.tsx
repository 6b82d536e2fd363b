import { X } from 'lucide-react';
import { billingTexts } from '#features/billing/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';

/** Is in the page's margin, so that nothing shifts when it appears on a page from the back/forward cache. */
export function CancelledBanner({ shown }: { shown: boolean }) {
  return (
    <div
      role="status"
      className="absolute inset-x-6 top-3 z-1 flex justify-center max-md:inset-x-4 max-md:top-2"
    >
      <Notice
        className="not-[[hidden]]:flex not-[[hidden]]:items-center not-[[hidden]]:gap-3 not-[[hidden]]:max-w-144 not-[[hidden]]:py-1 not-[[hidden]]:border not-[[hidden]]:bg-raised not-[[hidden]]:[box-shadow:var(--shadow-2)] not-[[hidden]]:border-line-strong"
        id="payment-cancelled"
        as="div"
        hidden={!shown}
      >
        <p>
          <strong>{billingTexts.cancelled()}</strong> {m.pricing_cancelled_text()}
        </p>
        <Button variant="ghost" size="icon" className="js-only" aria-label={m.common_close()}>
          <X size={16} strokeWidth={1.75} aria-hidden="true" />
        </Button>
      </Notice>
    </div>
  );
}
