import { lazy, Suspense } from 'react';
import type { HandOverItemsProps } from './hand-over-list.tsx';

const HandOverList = lazy(() => import('./hand-over-list.tsx'));

/** Menu items that open a text in other tools. */
export const HandOverItems = (props: HandOverItemsProps) => (
  <Suspense>
    <HandOverList {...props} />
  </Suspense>
);
