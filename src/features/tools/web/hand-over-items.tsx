import { lazy, Suspense } from 'react';
import type { HandOverItemsProps } from './hand-over-list.tsx';

const HandOverList = lazy(() => import('./hand-over-list.tsx'));

/** Items of a menu that lead to other tools with a text. */
export const HandOverItems = (props: HandOverItemsProps) => (
  <Suspense>
    <HandOverList {...props} />
  </Suspense>
);
