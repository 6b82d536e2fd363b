export interface MathToken {
  type: 'math';
  raw: string;
  text: string;
  display: boolean;
}

/** UTF-16 units; a longer formula stays text. */
const limits = { display: 2_000, inline: 500, waiting: 200 };

/**
 * Each pattern stops at the first thing that a formula cannot contain (its delimiter, a blank line, for `$` also a line
 * break or code span), so that a text full of openers is read in linear time.
 */
const blankLine = String.raw`\n[ \t]*(?:\n|$)`;
const inDollars = String.raw`((?:[^$\\\n]|\\[\s\S]|\$(?!\$)|(?!${blankLine})\n){1,${limits.display}})`;
const inBrackets = (length: number) => String.raw`((?:[^\\\n]|\\[^()[\]\n]|(?!${blankLine})\n){1,${length}})`;
const doubleDollar = new RegExp(String.raw`^\$\$${inDollars}\$\$`);
const squareBracket = new RegExp(String.raw`^\\\[${inBrackets(limits.display)}\\\]`);
const roundBracket = new RegExp(String.raw`^\\\(${inBrackets(limits.inline)}\\\)`);
const dollar = new RegExp(
  String.raw`^\$(?![\s$])((?:[^$\\\n${'`'}]|\\[^\n]){1,${limits.inline}})\$(?![\d$])`,
);
const blockEnd = /^[ \t]*(?:\n+|$)/;

const isProse = (text: string) => !text.includes('\\') && /[A-Za-z]{2}[,;:]? +[A-Za-z]{2}/.test(text);

const isPrice = (text: string) => /^\d[\d.,]*(?:[kKmMbB]n?)?[)\]"'.,;:!?–—-]*\s+[(A-Za-z]/.test(text);

const opener = (src: string) => {
  const two = src.slice(0, 2);
  if (two === '$$' || two === '\\[' || two === '\\(') return two;
  return src[0] === '$' ? '$' : null;
};

/** Reads a formula at the start of `src`; null if there is none. `$5 and $10` is money. */
export function mathAt(src: string): MathToken | null {
  const open = opener(src);
  if (open === null) return null;
  const pattern = { $$: doubleDollar, '\\[': squareBracket, '\\(': roundBracket, $: dollar }[open];
  const found = pattern.exec(src);
  const text = found?.[1] ?? '';
  if (!found || text.trim() === '' || isProse(text) || (open === '$' && /\s$/.test(text))) return null;
  return { type: 'math', raw: found[0], text: text.trim(), display: open === '$$' || open === '\\[' };
}

export function mathBlockAt(src: string): MathToken | null {
  const indent = /^ {0,3}(?=\$\$|\\\[)/.exec(src)?.[0].length;
  const found = indent === undefined ? null : mathAt(src.slice(indent));
  if (!found?.display) return null;
  const end = blockEnd.exec(src.slice((indent ?? 0) + found.raw.length));
  return end ? { ...found, raw: src.slice(0, (indent ?? 0) + found.raw.length + end[0].length) } : null;
}

export function mathLineIn(src: string): number {
  const found = /\n[ \t]*(?:\n| {0,3}(\$\$|\\\[))/.exec(src);
  return found?.[1] ? found.index + found[0].length - found[1].length : -1;
}

/** Replaces formulas by letters, so that their stars and underscores are not read as emphasis. */
export function withoutMath(src: string): string {
  let out = '';
  let at = 0;
  for (let next = src.indexOf('$'); next >= 0; next = src.indexOf('$', at)) {
    const found = mathAt(src.slice(next, next + limits.display + 4));
    const end = next + (found ? found.raw.length : 1);
    out += src.slice(at, next) + (found ? 'a'.repeat(found.raw.length) : '$');
    at = end;
  }
  return out + src.slice(at);
}

export function isOpenMath(src: string): boolean {
  const open = opener(src);
  if (open === null) return false;
  const text = src.slice(open.length);
  if (open === '$') return isOpenDollar(text);
  const limit = open === '\\(' ? limits.inline : limits.display;
  const close = { $$: '$$', '\\[': '\\]', '\\(': '\\)' }[open];
  return text.length <= limit && !/\n[ \t]*\n/.test(text) && !text.includes(close) && !isProse(text);
}

function isOpenDollar(text: string): boolean {
  if (text === '') return true;
  return (
    text.length <= limits.waiting && /^[^\s$`][^$\n`]*\$?$/.test(text) && !isPrice(text) && !isProse(text)
  );
}

const lineOpener = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*(\$\$|\\\[)/;

interface DisplayMath {
  open: number;
  end: number;
  closedAt: number;
}

export function displayMathIn(lines: string[]): DisplayMath {
  const found: DisplayMath = { open: -1, end: 0, closedAt: 0 };
  let close = '';
  let length = 0;
  for (const [at, line] of lines.entries()) {
    const isLast = at === lines.length - 1;
    if (found.open < 0) {
      const mark = lineOpener.exec(line);
      close = mark?.[1] === '$$' ? '$$' : '\\]';
      if (!mark || line.slice(mark[0].length).includes(close)) continue;
      found.open = at;
      length = line.length;
      continue;
    }
    length += line.length + 1;
    const closed = line.indexOf(close);
    if (closed >= 0 && length <= limits.display) {
      found.end = isLast ? at : at + 1;
      found.closedAt = isLast ? closed + 2 : 0;
    }
    if (closed >= 0 || length > limits.display || (line.trim() === '' && !isLast)) found.open = -1;
  }
  if (found.open >= 0 && isProse(lines.slice(found.open).join('\n'))) found.open = -1;
  return found;
}
