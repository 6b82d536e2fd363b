import { useSyncExternalStore } from 'react';
import type { LiveText } from '../../../generations/web/live-text.ts';

const none = () => () => undefined;

/** The text of a run while it comes; null while nothing runs. */
export const useLiveText = (live: LiveText | null): string | null =>
  useSyncExternalStore<string | null>(
    live?.subscribe ?? none,
    () => live?.snapshot() ?? null,
    () => null,
  );
