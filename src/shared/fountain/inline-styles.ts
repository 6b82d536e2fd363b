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
  sign: string;
}

export interface Styled {
  signs: string[];
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

const isWord = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}]/u.test(sign);
const isSpace = (sign: string | undefined) => sign === undefined || /\s/.test(sign);

export function styledLine(line: string): Styled {
  const source = [...line];
  const out: Styled = { signs: [], styles: [] };
  const open: Record<string, Opening[]> = { '*': [], _: [] };
  const changes: Array<[from: number, to: number, style: number]> = [];
  for (let at = 0; at < source.length; ) {
    const sign = source[at]!;
    if (sign === '\\' && /[*_\\[\]/!@#~>.=]/.test(source[at + 1] ?? '')) {
      put(out, source[at + 1]!);
      at += 2;
    } else if (sign === '*' || sign === '_') {
      let end = at;
      while (source[end] === sign) end++;
      resolve(out, open[sign]!, changes, {
        sign,
        count: end - at,
        before: source[at - 1],
        after: source[end],
      });
      at = end;
    } else {
      put(out, sign);
      at++;
    }
  }
  return settled(out, [...open['*']!, ...open._!], changes);
}

function put(out: Styled, sign: string): void {
  out.signs.push(sign);
  out.styles.push(0);
}

interface Marks {
  sign: string;
  count: number;
  before: string | undefined;
  after: string | undefined;
}

function resolve(
  out: Styled,
  stack: Opening[],
  changes: Array<[number, number, number]>,
  { sign, count, before, after }: Marks,
): void {
  const inWord = sign === '_' && isWord(before) && isWord(after);
  const most = sign === '*' ? 3 : 1;
  let left = count;
  while (!isSpace(before) && !inWord && left > 0 && stack.length > 0) {
    const last = stack.at(-1)!;
    const taken = Math.min(last.count, left, most);
    const style = sign === '_' ? UNDERLINE : taken === 3 ? BOLD | ITALIC : taken === 2 ? BOLD : ITALIC;
    changes.push([last.at, out.signs.length, style]);
    last.count -= taken;
    left -= taken;
    if (last.count === 0) stack.pop();
  }
  if (left === 0) return;
  if (!isSpace(after) && !inWord) stack.push({ count: left, at: out.signs.length, sign });
  else for (; left > 0; left--) put(out, sign);
}

function settled(out: Styled, open: Opening[], changes: Array<[number, number, number]>): Styled {
  const size = out.signs.length + 1;
  for (const style of [BOLD, ITALIC, UNDERLINE]) {
    const steps = new Int32Array(size);
    for (const [from, to, which] of changes) {
      if ((which & style) === 0) continue;
      steps[from]!++;
      steps[to]!--;
    }
    for (let at = 0, depth = 0; at < out.signs.length; at++) {
      depth += steps[at]!;
      if (depth > 0) out.styles[at]! |= style;
    }
  }
  if (open.length === 0) return out;
  const back: Styled = { signs: [], styles: [] };
  const marks = open.filter(({ count }) => count > 0).sort((a, b) => a.at - b.at);
  let next = 0;
  for (let at = 0; at <= out.signs.length; at++) {
    for (; marks[next]?.at === at; next++)
      for (let left = marks[next]!.count; left > 0; left--) put(back, marks[next]!.sign);
    if (at === out.signs.length) break;
    back.signs.push(out.signs[at]!);
    back.styles.push(out.styles[at]!);
  }
  return back;
}

export function runsOf({ signs, styles }: Styled, from = 0, to = signs.length): Run[] {
  const runs: Run[] = [];
  for (let at = from; at < to; ) {
    let end = at + 1;
    while (end < to && styles[end] === styles[at]) end++;
    const style = styles[at]!;
    runs.push({
      text: signs.slice(at, end).join(''),
      bold: (style & BOLD) !== 0,
      italic: (style & ITALIC) !== 0,
      underline: (style & UNDERLINE) !== 0,
    });
    at = end;
  }
  return runs;
}

export const unstyledText = (line: string): string => styledLine(withoutNotes(line)).signs.join('');
