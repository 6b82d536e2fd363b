import { displayMathIn, isOpenMath, mathAt } from './math-source.ts';

/** Bare markers of a list, heading, rule, fence, table or setext underline, or a number that may start a list. */
const undecidedLine = /^[ \t>]*(?:[-*+=_~`#|:][-*+=_~`#|: \t]*|\d{1,9}[.)]?|[-*+][ \t]+\[[ xX]?\]?)[ \t]*$/;
const fenceLine = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*(`{3,}|~{3,})([^\n]*)$/;
const blockStart = /^[ \t>]*(?:#{1,6}[ \t]+|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,9}[.)][ \t]+)?/;
/** UTF-16 units; keeps the scan short. */
const segmentLimit = 8_000;
/** A bracket opened longer ago than this is treated as text. */
const openLinkLimit = 80;

interface Fence {
  mark: string;
}

function fenceAfter(line: string, open: Fence | null): Fence | null {
  const found = fenceLine.exec(line);
  if (!found) return open;
  const [, mark, info] = found as unknown as [string, string, string];
  if (!open) return mark[0] === '`' && info.includes('`') ? null : { mark };
  const closes = mark[0] === open.mark[0] && mark.length >= open.mark.length && info.trim() === '';
  return closes ? null : open;
}

/**
 * Repairs the end of a growing text, so that no markers are visible: holds back undecided lines and table headers,
 * shows the label of a partial link, and closes open emphasis and code. Keeps everything else.
 */
export function repairIncomplete(source: string): string {
  const lines = source.split('\n');
  const last = lines.pop()!;
  let fence: Fence | null = null;
  let fenced = 0;
  for (const [at, line] of lines.entries()) {
    const before: Fence | null = fence;
    fence = fenceAfter(line, fence);
    if (fence !== before) fenced = at + 1;
  }
  if (fence) return partialFence(last, fence) ? lines.join('\n') : source;
  const math = displayMathIn([...lines.slice(fenced), last]);
  if (math.open >= 0) return joinLines(lines.slice(0, fenced + math.open));
  const before = joinLines(lines.slice(0, fenced + math.end));
  const rest = lines.slice(fenced + math.end);
  if (math.closedAt > 0)
    return before + last.slice(0, math.closedAt) + repairInline(last.slice(math.closedAt));
  return before + repairEnd(rest, last);
}

function repairEnd(lines: string[], last: string): string {
  if (undecidedLine.test(last) || fenceLine.test(last)) return waitingTable(lines) ?? joinLines(lines);
  return waitingTable([...lines, last]) ?? repairSegment(lines, last);
}

function partialFence(last: string, fence: Fence): boolean {
  const content = last.replace(/^[ \t>]+/, '');
  return content !== '' && content === fence.mark[0]!.repeat(Math.min(content.length, fence.mark.length));
}

const isRow = (line: string | undefined) => line !== undefined && /^[ \t>]*\|/.test(line);

function waitingTable(lines: string[]): string | null {
  const head = lines.at(-1) === '' ? lines.length - 2 : lines.length - 1;
  if (!isRow(lines[head]) || isRow(lines[head - 1])) return null;
  return joinLines(lines.slice(0, head));
}

const joinLines = (lines: string[]) => lines.map((line) => `${line}\n`).join('');

function repairSegment(lines: string[], last: string): string {
  let first = lines.length;
  let start = blockStart.exec(last)![0].length;
  if (isRow(last)) start = lastCell(last);
  else if (start === indent(last)) {
    while (first > 0 && lines[first - 1]!.trim() !== '' && lines.length - first < 200) {
      first--;
      start = blockStart.exec(lines[first]!)![0].length;
      if (start > indent(lines[first]!)) break;
    }
  }
  const segmentLines = [...lines.slice(first), last];
  const segment = segmentLines.join('\n').slice(start);
  if (segment.length > segmentLimit) return [...lines, last].join('\n');
  return joinLines(lines.slice(0, first)) + segmentLines[0]!.slice(0, start) + repairInline(segment);
}

const indent = (line: string) => /^[ \t>]*/.exec(line)![0].length;

function lastCell(row: string): number {
  let at = row.lastIndexOf('|');
  while (at > 0 && row[at - 1] === '\\') at = row.lastIndexOf('|', at - 1);
  return at + 1;
}

interface Opener {
  char: string;
  length: number;
}

interface Scan {
  out: string;
  openers: Opener[];
  brackets: number[];
}

function repairInline(text: string): string {
  const scan: Scan = { out: '', openers: [], brackets: [] };
  let at = 0;
  while (at < text.length) {
    const next = scanStep(text, at, scan);
    if (next < 0) break;
    at = next;
  }
  return closeOpeners(scan);
}

function scanStep(text: string, at: number, scan: Scan): number {
  const char = text[at]!;
  if (char === '$' || (char === '\\' && '(['.includes(text[at + 1] ?? ' '))) {
    const next = formula(text, at, scan);
    if (next !== null) return next;
  }
  if (char === '\\') {
    if (at + 1 >= text.length) return -1;
    scan.out += text.slice(at, at + 2);
    return at + 2;
  }
  if (char === '`') return codeSpan(text, at, scan);
  if (char === '[') {
    scan.brackets.push(scan.out.length);
    scan.out += char;
    return at + 1;
  }
  if (char === ']') return linkEnd(text, at, scan);
  if (char === '<' && /^<(?:b(?:r\s?\/?)?)?$/i.test(text.slice(at, at + 6))) return -1;
  if (char === '*' || char === '_' || char === '~') return delimiters(text, at, scan);
  scan.out += char;
  return at + 1;
}

function formula(text: string, at: number, scan: Scan): number | null {
  const rest = text.slice(at);
  const found = mathAt(rest);
  // If a digit followed, the dollar sign would belong to an amount of money.
  if (found && (found.display || found.raw.length < rest.length || rest.startsWith('\\'))) {
    scan.out += found.raw;
    return at + found.raw.length;
  }
  return found || isOpenMath(rest) ? -1 : null;
}

const runAt = (text: string, at: number) => {
  let end = at;
  while (text[end] === text[at]) end++;
  return end - at;
};

function codeSpan(text: string, at: number, scan: Scan): number {
  const length = runAt(text, at);
  const mark = '`'.repeat(length);
  for (let end = text.indexOf(mark, at + length); end >= 0; ) {
    const found = runAt(text, end);
    if (found === length) {
      scan.out += text.slice(at, end + length);
      return end + length;
    }
    end = text.indexOf(mark, end + found);
  }
  const content = text.slice(at + length).replace(/`+$/, '');
  if (content.trim() !== '') scan.out += mark + content.trimEnd() + mark;
  return -1;
}

function linkEnd(text: string, at: number, scan: Scan): number {
  const open = scan.brackets.pop();
  if (open === undefined) {
    scan.out += ']';
    return at + 1;
  }
  if (text[at + 1] !== '(') {
    if (at + 1 === text.length) return unwrap(scan, open);
    scan.out += ']';
    return at + 1;
  }
  let depth = 0;
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === '\n' && text[end + 1] === '\n') break;
    if (text[end] === '\\') end++;
    else if (text[end] === '(') depth++;
    else if (text[end] === ')' && --depth === 0) {
      scan.out += text.slice(at, end + 1);
      return end + 1;
    }
  }
  return unwrap(scan, open);
}

function unwrap(scan: Scan, open: number): number {
  const isImage = scan.out[open - 1] === '!';
  scan.out = isImage ? scan.out.slice(0, open - 1) : scan.out.slice(0, open) + scan.out.slice(open + 1);
  return -1;
}

const isWord = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}]/u.test(char);
const isSpace = (char: string | undefined) => char === undefined || /\s/.test(char);

function delimiters(text: string, at: number, scan: Scan): number {
  const char = text[at]!;
  const length = runAt(text, at);
  const end = at + length;
  const before = text[at - 1];
  const after = text[end];
  if (char === '~' && length !== 2 && end < text.length) {
    scan.out += '~'.repeat(length);
    return end;
  }
  const opener = scan.openers.findLast((known) => known.char === char);
  if (!isSpace(before) && opener && opener.length <= length) {
    scan.openers.length = scan.openers.lastIndexOf(opener);
    scan.out += char.repeat(opener.length);
    return at + opener.length;
  }
  if (end === text.length) return -1;
  const inWord = isWord(before) && (char === '_' || length === 1);
  if (!isSpace(after) && !inWord) scan.openers.push({ char, length: Math.min(length, 3) });
  scan.out += char.repeat(length);
  return end;
}

function closeOpeners(scan: Scan): string {
  const bracket = scan.brackets.at(-1);
  let out = scan.out;
  if (
    bracket !== undefined &&
    out.length - bracket < openLinkLimit &&
    !/^\[[\s\d]/.test(out.slice(bracket))
  ) {
    const isImage = out[bracket - 1] === '!';
    out = isImage ? out.slice(0, bracket - 1) : out.slice(0, bracket) + out.slice(bracket + 1);
  }
  if (scan.openers.length === 0) return out;
  const closers = scan.openers.map((opener) => opener.char.repeat(opener.length)).reverse();
  return out.trimEnd() + closers.join('');
}
