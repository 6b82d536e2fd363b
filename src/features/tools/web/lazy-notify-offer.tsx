import { lazy, Suspense } from 'react';

const NotifyOffer = lazy(() => import('#features/devices/web/notify-offer.tsx'));

/** Render it only while something runs: then it loads. */
export const LazyNotifyOffer = () => (
  <Suspense>
    <NotifyOffer />
  </Suspense>
);
