import type { Block, PlacedBlock, Screenplay, Speech } from './screenplay.ts';
import { type Line, linesOf } from './source-lines.ts';
import { readTitlePage } from './title-page.ts';

/*
 * Fountain 1.1 by its published rules (fountain.io/syntax), with two liberties that parsers commonly take: a scene
 * heading needs no blank line after it, and additional blank lines between paragraphs mean nothing.
 */

const HEADING = /^(?:int\.?\/ext|ext\.?\/int|int|ext|est|i\.?\/e)(?:\.|\s|$)/i;
const FORCED = /^[#=~>]/;
const MARKED = /^(?:\[\[|[!.>~=#@(])/;

const isBlank = (line: Line | undefined) => line === undefined || line.text.trim() === '';
/** Two or more spaces continue speech and notes. */
const isContinuation = (line: Line | undefined) => line !== undefined && /^ {2,}$/.test(line.text);

export const isHeading = (text: string): boolean => HEADING.test(text) && /\S\s*\S/.test(text.slice(2));

export const isTransition = (text: string): boolean =>
  text.endsWith('TO:') && !/\p{Ll}/u.test(text) && !MARKED.test(text);

export function isCharacter(text: string): boolean {
  const name = withoutBrackets(text.endsWith('^') ? text.slice(0, -1) : text);
  return /\p{Lu}/u.test(name) && !/\p{Ll}/u.test(name) && !MARKED.test(text);
}

function withoutBrackets(text: string): string {
  const open = text.indexOf('(');
  return open < 0 || !text.trimEnd().endsWith(')') ? text : text.slice(0, open);
}

const isParenthetical = (text: string): boolean =>
  text.startsWith('(') && text.endsWith(')') && text.slice(1, -1).trim() !== '';

class Reader {
  readonly lines: Line[];
  readonly placed: PlacedBlock[] = [];
  at: number;

  constructor(lines: Line[], at: number) {
    this.lines = lines;
    this.at = at;
  }

  read(): PlacedBlock[] {
    while (this.at < this.lines.length) {
      if (isBlank(this.lines[this.at])) this.at++;
      else this.next();
    }
    return this.placed;
  }

  private add(block: Block, first: number): void {
    this.placed.push({ block, from: this.lines[first]!.from, to: this.lines[this.at - 1]!.to });
  }

  private next(): void {
    const first = this.at;
    const text = this.lines[first]!.text.trim();
    const isBlockStart = first === 0 || isBlank(this.lines[first - 1]) || this.followsMark();
    const block = this.readSingle(text) ?? (isBlockStart ? this.atStart(text) : null);
    if (block) {
      if (this.at === first) this.at++;
      this.add(block, first);
    } else if (text.startsWith('~')) this.lyrics(first);
    else this.action(first);
  }

  private followsMark(): boolean {
    return ['section', 'synopsis', 'page-break'].includes(this.placed.at(-1)?.block.type ?? '');
  }

  private readSingle(text: string): Block | null {
    if (/^={3,}$/.test(text)) return { type: 'page-break' };
    const section = /^(#{1,6})\s*(.*)$/.exec(text);
    if (section) return { type: 'section', depth: section[1]!.length, text: section[2]! };
    if (text.startsWith('=')) return { type: 'synopsis', text: text.slice(1).trim() };
    if (!text.startsWith('>')) return null;
    if (text.endsWith('<') && text.length > 1) return { type: 'centered', text: text.slice(1, -1).trim() };
    return { type: 'transition', text: text.slice(1).trim() };
  }

  private atStart(text: string): Block | null {
    if (/^\.[\p{L}\p{N}]/u.test(text)) return heading(text.slice(1));
    if (isHeading(text)) return heading(text);
    const isAlone = isBlank(this.lines[this.at + 1]);
    if (isAlone) return isTransition(text) ? { type: 'transition', text } : null;
    if (/^@\s*[^\s^]/.test(text)) return this.dialogue(text.slice(1).trim());
    return isCharacter(text) ? this.dialogue(text) : null;
  }

  private dialogue(line: string): Block {
    const dual = line.endsWith('^');
    const character = dual ? line.slice(0, -1).trim() : line;
    const speech: Speech[] = [];
    this.at++;
    for (; this.at < this.lines.length; this.at++) {
      const each = this.lines[this.at]!;
      const text = each.text.trim();
      if (text === '' && !isContinuation(each)) break;
      addSpeech(speech, text);
    }
    while (isBlank(this.lines[this.at - 1])) this.at--;
    return { type: 'dialogue', character, dual, speech: trimEnds(speech) };
  }

  private lyrics(first: number): void {
    const texts: string[] = [];
    for (; !isBlank(this.lines[this.at]); this.at++) {
      const text = this.lines[this.at]!.text.trim();
      if (!text.startsWith('~')) break;
      texts.push(text.slice(1).trim());
    }
    this.add({ type: 'lyrics', text: texts.join('\n') }, first);
  }

  private action(first: number): void {
    const texts: string[] = [];
    let open = false;
    for (; this.at < this.lines.length; this.at++) {
      const line = this.lines[this.at]!;
      if (isBlank(line) && !(open && isContinuation(line))) break;
      if (!open && this.at > first && FORCED.test(line.text.trim())) break;
      const text = line.text.trimEnd();
      texts.push(open ? text : text.replace(/^( *)!/, '$1').trimEnd());
      open = isNoteOpenAfter(text, open);
    }
    while (texts.length > 1 && isBlank(this.lines[this.at - 1])) {
      texts.pop();
      this.at--;
    }
    const text = texts.join('\n');
    const note = noteOf(text);
    this.add(note === null ? { type: 'action', text } : { type: 'note', text: note }, first);
  }
}

export function isNoteOpenAfter(text: string, open: boolean): boolean {
  const opening = text.lastIndexOf('[[');
  const closing = text.lastIndexOf(']]');
  return opening === closing ? open : opening > closing;
}

function noteOf(text: string): string | null {
  const trimmed = text.trim();
  if (!trimmed.startsWith('[[') || trimmed.indexOf(']]') !== trimmed.length - 2 || trimmed.length < 5)
    return null;
  const inner = trimmed.slice(2, -2).trim();
  return inner === '' || inner.includes('[[') ? null : inner;
}

function heading(text: string): Block {
  const open = text.endsWith('#') ? text.lastIndexOf('#', text.length - 2) : -1;
  const words = text.slice(0, Math.max(0, open)).trim();
  const number = text.slice(open + 1, -1);
  if (words === '' || !/^[\p{L}\p{N}.-]+$/u.test(number)) return { type: 'scene', text, number: null };
  return { type: 'scene', text: words, number };
}

function addSpeech(speech: Speech[], text: string): void {
  const last = speech.at(-1);
  if (isParenthetical(text)) speech.push({ type: 'parenthetical', text: text.slice(1, -1).trim() });
  else {
    const type = text.startsWith('~') ? 'lyrics' : 'dialogue';
    const words = type === 'lyrics' ? text.slice(1).trim() : text;
    if (last && (last.type === type || (text === '' && last.type !== 'parenthetical')))
      last.text += `\n${words}`;
    else if (text !== '') speech.push({ type, text: words });
  }
}

const trimEnds = (speech: Speech[]): Speech[] =>
  speech.map(({ type, text }) => ({ type, text: text.trimEnd() }));

/** Linear in the length of the source. */
export function parsePlaced(source: string): { title: Screenplay['title']; placed: PlacedBlock[] } {
  const lines = linesOf(source);
  const { title, next } = readTitlePage(lines);
  return { title, placed: new Reader(lines, next).read() };
}

export function parseFountain(source: string): Screenplay {
  const { title, placed } = parsePlaced(source);
  return { title, blocks: placed.map(({ block }) => block) };
}
