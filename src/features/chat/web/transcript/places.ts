/** Where somebody was reading: a row of the transcript and how far above the view's top it began, or the end. */
export type Place = { id: string; above: number } | 'end';

const most = 200;
const places = new Map<string, Place>();

/** Remembers the place in a chat while the page lives. */
export function rememberPlace(chatId: string, place: Place): void {
  places.delete(chatId);
  places.set(chatId, place);
  for (const oldest of places.keys()) {
    if (places.size <= most) return;
    places.delete(oldest);
  }
}

export const placeIn = (chatId: string): Place | undefined => places.get(chatId);

/** The first row of which something is in view. */
export function firstVisible(box: HTMLElement): HTMLElement | undefined {
  const rows = box.querySelectorAll<HTMLElement>('.chat-turn');
  const edge = box.getBoundingClientRect().top;
  let [from, to] = [0, rows.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (rows[middle]!.getBoundingClientRect().bottom > edge) to = middle;
    else from = middle + 1;
  }
  return rows[from];
}

export const rowOf = (box: HTMLElement, id: string): HTMLElement | null =>
  box.querySelector(`.chat-turn[data-id="${CSS.escape(id)}"]`);

const aboveOf = (box: HTMLElement, row: HTMLElement) =>
  box.getBoundingClientRect().top - row.getBoundingClientRect().top;

/** The place that a scroll box shows. */
export function placeOf(box: HTMLElement): Place {
  if (box.scrollHeight - box.clientHeight - box.scrollTop < 2) return 'end';
  const row = firstVisible(box);
  return row?.dataset.id ? { id: row.dataset.id, above: aboveOf(box, row) } : 'end';
}

/** Shows a place again. False when its row is not there. */
export function showPlace(box: HTMLElement, { id, above }: Exclude<Place, 'end'>): boolean {
  const row = rowOf(box, id);
  if (!row) return false;
  // A row that was not laid out yet has no height to be in the middle of.
  for (let near: Element | null = row, left = 4; near && left > 0; near = near.nextElementSibling, left--)
    (near as HTMLElement).style.contentVisibility = 'visible';
  box.scrollTop += above - aboveOf(box, row);
  return true;
}
