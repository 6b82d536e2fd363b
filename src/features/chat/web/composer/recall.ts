/** A message that was recalled into the box: how many messages back, and its text as the box holds it. */
export interface Recalled {
  at: number;
  text: string;
}

/**
 * What ArrowUp (`by` 1) and ArrowDown (-1) bring into a box that holds `value`, as in a shell: the messages sent, the
 * newest first in `sent`, and below them the empty box. Null where the key keeps its own meaning: the box holds
 * something else, or there is nothing further.
 */
export function recall(sent: string[], value: string, shown: Recalled | null, by: 1 | -1): Recalled | null {
  const untouched = shown !== null && shown.text === value;
  if (value !== '' && !untouched) return null;
  const at = (value === '' ? -1 : (shown?.at ?? -1)) + by;
  if (at === -1) return { at, text: '' };
  const text = sent[at];
  return text === undefined ? null : { at, text };
}
