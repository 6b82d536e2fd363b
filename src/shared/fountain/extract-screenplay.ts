import { isHeading } from './parse-fountain.ts';
import { startsTitlePage } from './title-page.ts';

const INTRODUCTION =
  /^(?:sure|certainly|of course|absolutely|okay|ok|great|here(?:’|'| i)?s|here you|below|i(?:’|')ve|this is)\b/i;
const CLOSING_REMARK =
  /^(?:i hope|let me know|feel free|would you like|if you(?:’|')?d? (?:like|want|need)|please let|note:|this (?:script|screenplay|scene) )/i;
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/;
const FENCE = /^ {0,3}```/;

const isStart = (line: string): boolean =>
  startsTitlePage(line) ||
  isHeading(line.trim()) ||
  /^(?:\.[\p{L}\p{N}]|FADE IN|COLD OPEN|OVER BLACK)/u.test(line);

function withoutFence(lines: string[]): string[] {
  const open = lines.findIndex((line) => FENCE.test(line) || isStart(line));
  if (open < 0 || !FENCE.test(lines[open]!)) return lines;
  const rest = lines.slice(open + 1);
  const close = rest.findIndex((line) => FENCE.test(line));
  return close < 0 ? rest : rest.slice(0, close);
}

function withoutMarkdown(line: string): string {
  const text = line.trim();
  const bold = /^\*\*([^*]+)\*\*$/.exec(text)?.[1]?.trim();
  if (bold && !/\p{Ll}/u.test(bold)) return bold;
  const hashes = /^#{1,6}\s+(\S.*)$/.exec(text)?.[1];
  return hashes && isHeading(hashes) ? hashes : line;
}

function withoutRemarks(lines: string[]): string[] {
  const start = lines.findIndex(isStart);
  const first = lines.findIndex((line) => line.trim() !== '');
  let from = Math.max(0, first);
  if (start > first && INTRODUCTION.test(lines[first]!.trim())) from = start;
  let to = lines.length;
  for (;;) {
    while (to > from && lines[to - 1]!.trim() === '') to--;
    let paragraphStart = to;
    while (paragraphStart > from && lines[paragraphStart - 1]!.trim() !== '') paragraphStart--;
    if (paragraphStart <= from || !CLOSING_REMARK.test(lines[paragraphStart]!.trim())) break;
    to = paragraphStart;
  }
  return lines.slice(from, to);
}

/**
 * Removes the model's words around the screenplay, fences, rules and bold headings. If the model started over (form
 * feed), only its last attempt counts. Linear in the length of the answer.
 */
export function extractScreenplay(answer: string): string {
  const parts = answer.split('\f');
  const last = parts.findLast((part) => part.trim() !== '') ?? '';
  const cleaned = withoutFence(last.split(/\r\n|\r|\n/))
    .map(withoutMarkdown)
    .filter((line) => !RULE.test(line) && !FENCE.test(line));
  const lines = withoutRemarks(cleaned);
  const out: string[] = [];
  for (const line of lines) {
    const heading = isHeading(line.trim()) && !/\p{Ll}/u.test(line);
    const previous = out.at(-1);
    const needsBlank =
      heading || (previous !== undefined && isHeading(previous.trim()) && !/\p{Ll}/u.test(previous));
    if (needsBlank && previous !== undefined && previous.trim() !== '' && line.trim() !== '') out.push('');
    out.push(line);
  }
  return out.length > 0 ? `${out.join('\n')}\n` : '';
}
