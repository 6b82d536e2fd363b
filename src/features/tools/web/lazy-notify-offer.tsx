import { lazy, Suspense } from 'react';

const NotifyOffer = lazy(() => import('#features/devices/web/notify-offer.tsx'));

/** Render it only while something runs, so that its code loads only then. */
export const LazyNotifyOffer = () => (
  <Suspense>
    <NotifyOffer />
  </Suspense>
);
