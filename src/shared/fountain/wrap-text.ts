import { type Run, runsOf, type Styled, styledLine, withoutNotes } from './inline-styles.ts';

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303e\u30fb\u30fc\uff01-\uff60]/u;
const NARROW = /\p{M}|\u200d/u;

const widthOf = (sign: string): number =>
  sign < '\u0300' ? 1 : NARROW.test(sign) ? 0 : WIDE.test(sign) ? 2 : 1;

export function columnsOf(runs: Run[]): number {
  let columns = 0;
  for (const { text } of runs) for (const sign of text) columns += widthOf(sign);
  return columns;
}

function wrapLine(line: Styled, columns: number): Run[][] {
  const { signs } = line;
  const rows: Run[][] = [];
  let from = 0;
  let width = 0;
  let blank = -1;
  for (let at = 0; at < signs.length; at++) {
    const step = widthOf(signs[at]!);
    if (signs[at] === ' ' && at > from) blank = at;
    if (width + step > columns && at > from) {
      const cut = blank > from ? blank : at;
      rows.push(runsOf(line, from, cut));
      from = cut;
      while (from < signs.length && signs[from] === ' ') from++;
      if (from > at) at = from;
      width = 0;
      for (let back = from; back < at; back++) width += widthOf(signs[back]!);
      blank = -1;
      if (at >= signs.length) break;
    }
    width += widthOf(signs[at]!);
  }
  if (from < signs.length || rows.length === 0) rows.push(runsOf(line, from));
  return rows;
}

export function wrap(text: string, columns: number): Run[][] {
  return withoutNotes(text)
    .split('\n')
    .flatMap((line) => wrapLine(styledLine(line.trimEnd()), columns));
}
