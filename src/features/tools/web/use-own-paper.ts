import { useSyncExternalStore } from 'react';
import { type Paper, paperOf } from '#shared/paper.ts';

const never = () => () => {};

/** The paper size of the visitor's region, which only the browser knows; A4 during server rendering. */
export const useOwnPaper = (): Paper =>
  useSyncExternalStore(
    never,
    () => paperOf(navigator.language),
    () => 'a4',
  );
