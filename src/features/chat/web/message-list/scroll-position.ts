/** `above`: pixels from the row's top to the view's. */
export type ScrollPosition = { id: string; above: number } | 'end';

const most = 200;
const places = new Map<string, ScrollPosition>();

export function saveScrollPosition(chatId: string, place: ScrollPosition): void {
  places.delete(chatId);
  places.set(chatId, place);
  for (const oldest of places.keys()) {
    if (places.size <= most) return;
    places.delete(oldest);
  }
}

export const savedScrollPosition = (chatId: string): ScrollPosition | undefined => places.get(chatId);

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

export const findRow = (box: HTMLElement, id: string): HTMLElement | null =>
  box.querySelector(`.chat-turn[data-id="${CSS.escape(id)}"]`);

const aboveOf = (box: HTMLElement, row: HTMLElement) =>
  box.getBoundingClientRect().top - row.getBoundingClientRect().top;

export function readScrollPosition(box: HTMLElement): ScrollPosition {
  if (box.scrollHeight - box.clientHeight - box.scrollTop < 2) return 'end';
  const row = firstVisible(box);
  return row?.dataset.id ? { id: row.dataset.id, above: aboveOf(box, row) } : 'end';
}

export function restoreScrollPosition(
  box: HTMLElement,
  { id, above }: Exclude<ScrollPosition, 'end'>,
): boolean {
  const row = findRow(box, id);
  if (!row) return false;
  // A row that was not laid out yet has no height to be in the middle of.
  for (let near: Element | null = row, left = 4; near && left > 0; near = near.nextElementSibling, left--)
    (near as HTMLElement).style.contentVisibility = 'visible';
  box.scrollTop += above - aboveOf(box, row);
  return true;
}
