/** `first` and `last` are the blocks that contain the passage. */
export interface Passage {
  from: number;
  to: number;
  first: number;
  last: number;
}

export const replaceRange = (
  text: string,
  { from, to }: Pick<Passage, 'from' | 'to'>,
  replacement: string,
): string => text.slice(0, from) + replacement + text.slice(to);

/** Finds the passage at `from`, or elsewhere if it occurs only once; otherwise returns null. */
export function relocatePassage(text: string, from: number, passage: string) {
  const first = text.startsWith(passage, from) ? from : text.indexOf(passage);
  const second = first === from ? -1 : text.indexOf(passage, first + 1);
  return first < 0 || second >= 0 || passage === '' ? null : { from: first, to: first + passage.length };
}
