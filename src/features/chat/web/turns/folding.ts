/** A question of more lines than this is folded; turns.css shows `most - 4` of them, so that a fold is worth it. */
const most = 24;

/** Letters that a line of a question holds at most: where the window is wide, and on a phone. */
const letters = { wide: 76, narrow: 36 };

/** About how many lines a text takes where a line holds so many letters. */
function linesOf(text: string, perLine: number): number {
  let lines = 0;
  for (const line of text.split('\n')) lines += Math.max(1, Math.ceil(line.length / perLine));
  return lines;
}

/** Where a question is folded, known from its text alone, so that nothing moves once it is laid out. */
export function foldOf(text: string): 'wide' | 'narrow' | undefined {
  if (linesOf(text, letters.wide) > most) return 'wide';
  return linesOf(text, letters.narrow) > most ? 'narrow' : undefined;
}
