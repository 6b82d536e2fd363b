/** `first` and `last` are the blocks that contain the passage. */
export interface Passage {
  from: number;
  to: number;
  first: number;
  last: number;
}

export const replaceRange = (text: string, { from, to }: Pick<Passage, 'from' | 'to'>, by: string): string =>
  text.slice(0, from) + by + text.slice(to);

/** Finds the passage at `from`, or elsewhere if it occurs only once; otherwise returns null. */
export function relocatePassage(text: string, from: number, passage: string) {
  const first = text.startsWith(passage, from) ? from : text.indexOf(passage);
  const again = first === from ? -1 : text.indexOf(passage, first + 1);
  return first < 0 || again >= 0 || passage === '' ? null : { from: first, to: first + passage.length };
}
