import { type Run, runsOf, type Styled, styledLine, withoutNotes } from './inline-styles.ts';

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303e\u30fb\u30fc\uff01-\uff60]/u;
const NARROW = /\p{M}|\u200d/u;

const widthOf = (character: string): number =>
  character < '\u0300' ? 1 : NARROW.test(character) ? 0 : WIDE.test(character) ? 2 : 1;

export function columnsOf(runs: Run[]): number {
  let columns = 0;
  for (const { text } of runs) for (const character of text) columns += widthOf(character);
  return columns;
}

function wrapLine(line: Styled, columns: number): Run[][] {
  const { characters } = line;
  const rows: Run[][] = [];
  let from = 0;
  let width = 0;
  let lastSpace = -1;
  for (let at = 0; at < characters.length; at++) {
    const step = widthOf(characters[at]!);
    if (characters[at] === ' ' && at > from) lastSpace = at;
    if (width + step > columns && at > from) {
      const cut = lastSpace > from ? lastSpace : at;
      rows.push(runsOf(line, from, cut));
      from = cut;
      while (from < characters.length && characters[from] === ' ') from++;
      if (from > at) at = from;
      width = 0;
      for (let back = from; back < at; back++) width += widthOf(characters[back]!);
      lastSpace = -1;
      if (at >= characters.length) break;
    }
    width += widthOf(characters[at]!);
  }
  if (from < characters.length || rows.length === 0) rows.push(runsOf(line, from));
  return rows;
}

export function wrap(text: string, columns: number): Run[][] {
  return withoutNotes(text)
    .split('\n')
    .flatMap((line) => wrapLine(styledLine(line.trimEnd()), columns));
}
