export interface Run {
  text: string;
  bold: boolean;
  italic: boolean;
  underline: boolean;
}

const BOLD = 1;
const ITALIC = 2;
const UNDERLINE = 4;

interface Opening {
  count: number;
  at: number;
  character: string;
}

export interface Styled {
  characters: string[];
  styles: number[];
}

export function withoutNotes(text: string): string {
  let out = '';
  let from = 0;
  for (;;) {
    const open = text.indexOf('[[', from);
    const close = open < 0 ? -1 : text.indexOf(']]', open + 2);
    if (close < 0) return out + text.slice(from);
    out += text.slice(from, open);
    from = close + 2;
  }
}

const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);
const isSpace = (character: string | undefined) => character === undefined || /\s/.test(character);

export function styledLine(line: string): Styled {
  const source = [...line];
  const out: Styled = { characters: [], styles: [] };
  const open: Record<string, Opening[]> = { '*': [], _: [] };
  const changes: Array<[from: number, to: number, style: number]> = [];
  for (let at = 0; at < source.length; ) {
    const character = source[at]!;
    if (character === '\\' && /[*_\\[\]/!@#~>.=]/.test(source[at + 1] ?? '')) {
      append(out, source[at + 1]!);
      at += 2;
    } else if (character === '*' || character === '_') {
      let end = at;
      while (source[end] === character) end++;
      resolve(out, open[character]!, changes, {
        character,
        count: end - at,
        before: source[at - 1],
        after: source[end],
      });
      at = end;
    } else {
      append(out, character);
      at++;
    }
  }
  return applyStyles(out, [...open['*']!, ...open._!], changes);
}

function append(out: Styled, character: string): void {
  out.characters.push(character);
  out.styles.push(0);
}

interface Marks {
  character: string;
  count: number;
  before: string | undefined;
  after: string | undefined;
}

function resolve(
  out: Styled,
  stack: Opening[],
  changes: Array<[number, number, number]>,
  { character, count, before, after }: Marks,
): void {
  const inWord = character === '_' && isWord(before) && isWord(after);
  const max = character === '*' ? 3 : 1;
  let remaining = count;
  while (!isSpace(before) && !inWord && remaining > 0 && stack.length > 0) {
    const last = stack.at(-1)!;
    const matched = Math.min(last.count, remaining, max);
    const style =
      character === '_' ? UNDERLINE : matched === 3 ? BOLD | ITALIC : matched === 2 ? BOLD : ITALIC;
    changes.push([last.at, out.characters.length, style]);
    last.count -= matched;
    remaining -= matched;
    if (last.count === 0) stack.pop();
  }
  if (remaining === 0) return;
  if (!isSpace(after) && !inWord) stack.push({ count: remaining, at: out.characters.length, character });
  else for (; remaining > 0; remaining--) append(out, character);
}

function applyStyles(out: Styled, open: Opening[], changes: Array<[number, number, number]>): Styled {
  const size = out.characters.length + 1;
  for (const style of [BOLD, ITALIC, UNDERLINE]) {
    const steps = new Int32Array(size);
    for (const [from, to, applied] of changes) {
      if ((applied & style) === 0) continue;
      steps[from]!++;
      steps[to]!--;
    }
    for (let at = 0, depth = 0; at < out.characters.length; at++) {
      depth += steps[at]!;
      if (depth > 0) out.styles[at]! |= style;
    }
  }
  if (open.length === 0) return out;
  const withMarks: Styled = { characters: [], styles: [] };
  const marks = open.filter(({ count }) => count > 0).sort((a, b) => a.at - b.at);
  let next = 0;
  for (let at = 0; at <= out.characters.length; at++) {
    for (; marks[next]?.at === at; next++)
      for (let remaining = marks[next]!.count; remaining > 0; remaining--)
        append(withMarks, marks[next]!.character);
    if (at === out.characters.length) break;
    withMarks.characters.push(out.characters[at]!);
    withMarks.styles.push(out.styles[at]!);
  }
  return withMarks;
}

export function runsOf({ characters, styles }: Styled, from = 0, to = characters.length): Run[] {
  const runs: Run[] = [];
  for (let at = from; at < to; ) {
    let end = at + 1;
    while (end < to && styles[end] === styles[at]) end++;
    const style = styles[at]!;
    runs.push({
      text: characters.slice(at, end).join(''),
      bold: (style & BOLD) !== 0,
      italic: (style & ITALIC) !== 0,
      underline: (style & UNDERLINE) !== 0,
    });
    at = end;
  }
  return runs;
}

export const unstyledText = (line: string): string => styledLine(withoutNotes(line)).characters.join('');
