import { log } from '#platform/log.server.ts';
import type { EndState } from './run-outcome.server.ts';

export interface RunEnd {
  generationId: string;
  userId: string;
  feature: string;
  state: EndState;
}

type RunEndListener = (end: RunEnd) => void;

const listeners: RunEndListener[] = [];

/** The listener is called once per run, after its end is stored. Nothing waits for it, and a crash may skip it. */
export const onRunEnd = (listener: RunEndListener): void => void listeners.push(listener);

export function announceRunEnd(end: RunEnd): void {
  try {
    for (const listener of listeners) listener(end);
  } catch (error) {
    log.error({ error, generation: end.generationId }, 'the end of a run could not be announced');
  }
}
