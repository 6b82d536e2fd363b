/** Jobs that were begun in this tab and whose end was not seen yet, over the pages of a visit. */
export const RUNNING_KEY = 'images-running';

/** Their ids; none where the browser keeps nothing. */
export function runningIds(): string[] {
  try {
    const ids: unknown = JSON.parse(sessionStorage.getItem(RUNNING_KEY) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

function keep(ids: string[]): void {
  try {
    if (ids.length > 0) sessionStorage.setItem(RUNNING_KEY, JSON.stringify(ids));
    else sessionStorage.removeItem(RUNNING_KEY);
  } catch {}
}

export const noteRunning = (id: string): void => keep([...runningIds().filter((known) => known !== id), id]);

export const forgetRunning = (id: string): void => keep(runningIds().filter((known) => known !== id));
