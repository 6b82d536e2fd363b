import { session } from '../../../../client/storage.ts';

/** Jobs that were begun in this tab and whose end was not seen yet, over the pages of a visit. */
export const RUNNING_KEY = 'images-running';

/** Their ids; none where the browser keeps nothing. */
export function runningIds(): string[] {
  try {
    const ids: unknown = JSON.parse(session.getItem(RUNNING_KEY) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

function keep(ids: string[]): void {
  if (ids.length > 0) session.setItem(RUNNING_KEY, JSON.stringify(ids));
  else session.removeItem(RUNNING_KEY);
}

export const noteRunning = (id: string): void => keep([...runningIds().filter((known) => known !== id), id]);

export const forgetRunning = (id: string): void => keep(runningIds().filter((known) => known !== id));
