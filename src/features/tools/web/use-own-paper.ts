import { useSyncExternalStore } from 'react';
import { type Paper, paperOf } from '#shared/paper.ts';

const never = () => () => {};

/** Of the visitor's region, which the page learns in the browser. */
export const useOwnPaper = (): Paper =>
  useSyncExternalStore(
    never,
    () => paperOf(navigator.language),
    () => 'a4',
  );
