import type { Token, Tokens } from 'marked';
import type { TextToken } from './bounded-lexer.ts';
import { decodeEntities, isLineBreak } from './html-entities.ts';
import { imageLabel } from './image-label.ts';
import { pictureHost } from './safe-link.ts';

/** `from` and `to` are UTF-16 units of the source, `first` and `last` of the visible text. */
export interface Wrap {
  from: number;
  to: number;
  first: number;
  last: number;
  marks: { open: string; close: string } | null;
}

export interface SourceMap {
  /** Same as the page's text nodes; a formula is one U+FFFC. */
  visible: string;
  /** UTF-16 units of the source; -1 if unknown. */
  from: number[];
  to: number[];
  wraps: Wrap[][];
}

export const formulaMark = '\ufffc';

const linePrefix = /[ \t>]*/y;

function locate(text: string, source: string, start: number): number[] | null {
  const line = text.split('\n', 1)[0]!;
  // A pipe in a table cell is escaped with a backslash in the source.
  const firstPart = line.split('|', 1)[0] || line;
  if (firstPart === '') return null;
  for (let at = source.indexOf(firstPart, start); at >= 0; at = source.indexOf(firstPart, at + 1)) {
    const found = matchAt(text, source, at);
    if (found) return found;
  }
  return null;
}

function matchAt(text: string, source: string, start: number): number[] | null {
  const places: number[] = [];
  let at = start;
  for (let unit = 0; unit < text.length; unit++) {
    if (unit > 0 && text[unit - 1] === '\n' && source[at] !== text[unit]) {
      linePrefix.lastIndex = at;
      const prefix = linePrefix.exec(source)?.[0].length ?? 0;
      // Characters at the start of the line itself don't belong to its container.
      const ownIndent = /^[ \t>]*/.exec(text.slice(unit))![0].length;
      at += Math.max(0, prefix - ownIndent);
    }
    // A pipe in a table cell.
    const escaped = text[unit] === '|' && source[at] === '\\' && source[at + 1] === '|';
    if (!escaped && source[at] !== text[unit]) return null;
    places.push(at);
    at += escaped ? 2 : 1;
  }
  places.push(at);
  return places;
}

const entity = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,9});/g;

class Reader implements SourceMap {
  visible = '';
  from: number[] = [];
  to: number[] = [];
  wraps: Wrap[][] = [];
  private cursor: number;
  private path: Wrap[] = [];
  private readonly source: string;

  constructor(source: string, start: number) {
    this.source = source;
    this.cursor = start;
  }

  private push(text: string, from: number, to: number): void {
    for (const unit of text.split('')) {
      this.visible += unit;
      this.from.push(from);
      this.to.push(to);
      this.wraps.push(this.path);
    }
  }

  private pushEach(text: string, places: number[], at: number): void {
    for (let unit = 0; unit < text.length; unit++)
      this.push(text[unit]!, places[at + unit] ?? -1, places[at + unit + 1] ?? -1);
  }

  private wrapped(wrap: Omit<Wrap, 'first' | 'last'>, read: () => void): void {
    const outer = this.path;
    const entry: Wrap = { ...wrap, first: this.visible.length, last: -1 };
    this.path = [...outer, entry];
    read();
    entry.last = this.visible.length - 1;
    this.path = outer;
  }

  private inline(tokens: Token[], places: number[], at: number): void {
    let next = at;
    for (const token of tokens) {
      this.inlineToken(token as TextToken, places, next);
      next += token.raw.length;
    }
  }

  private inlineToken(token: TextToken, places: number[], at: number): void {
    const end = at + token.raw.length;
    const placeOf = (unit: number) => places[unit] ?? -1;
    const pushAsOne = (text: string) => this.push(text, placeOf(at), placeOf(end));
    switch (token.type) {
      case 'strong':
      case 'em':
      case 'del':
      case 'link': {
        const inner = token.raw.indexOf(token.text);
        const marks = marksOf(token, inner);
        this.wrapped({ from: placeOf(at), to: placeOf(end), marks }, () =>
          this.inline(token.tokens, inner < 0 ? [] : places, at + Math.max(inner, 0)),
        );
        return;
      }
      case 'codespan': {
        const inner = token.raw.indexOf(token.text);
        const marks = marksOf(token, inner);
        this.wrapped({ from: placeOf(at), to: placeOf(end), marks }, () =>
          this.pushEach(token.text, inner < 0 ? [] : places, at + inner),
        );
        return;
      }
      case 'math':
        pushAsOne(formulaMark);
        return;
      case 'image': {
        const host = pictureHost(token.href);
        const alt = decodeEntities(token.text);
        pushAsOne(host === null ? alt : imageLabel(alt, host));
        return;
      }
      case 'html':
        if (!isLineBreak(token.raw)) this.pushEach(token.raw, places, at);
        return;
      case 'escape':
        pushAsOne(token.text);
        return;
      case 'br':
      case 'checkbox':
        return;
      case 'text':
        if (token.tokens) this.inline(token.tokens, places, at);
        else this.text(token.text, places, at);
        return;
      default:
        this.pushEach(token.raw, places, at);
    }
  }

  private text(text: string, places: number[], at: number): void {
    let done = 0;
    for (const found of text.matchAll(entity)) {
      const character = decodeEntities(found[0]);
      if (character === found[0]) continue;
      this.pushEach(text.slice(done, found.index), places, at + done);
      done = found.index + found[0].length;
      this.push(character, places[at + found.index] ?? -1, places[at + done] ?? -1);
    }
    this.pushEach(text.slice(done), places, at + done);
  }

  private leaf(text: string, tokens: Token[] | null): void {
    const places = locate(text, this.source, this.cursor);
    if (places) this.cursor = places.at(-1)!;
    if (tokens) this.inline(tokens, places ?? [], 0);
    else this.pushEach(text, places ?? [], 0);
  }

  private wrapBlock(raw: string, read: () => void): void {
    const places = locate(raw.trimEnd(), this.source, this.cursor);
    this.wrapped({ from: places?.[0] ?? -1, to: places?.at(-1) ?? -1, marks: null }, read);
    if (places) this.cursor = Math.max(this.cursor, places.at(-1)!);
  }

  private item(item: Tokens.ListItem): void {
    const line = item.raw.split('\n', 1)[0]!;
    const at = this.source.indexOf(line, this.cursor);
    const mark = /^\s*(?:[*+-]|\d{1,9}[.)])(?:\s+\[[ xX]\](?=\s))?\s*/.exec(line)?.[0].length ?? 0;
    if (at >= 0) this.cursor = at + mark;
    this.blocks(item.tokens);
  }

  blocks(tokens: Token[]): void {
    for (const token of tokens) this.block(token as TextToken);
  }

  private block(token: TextToken): void {
    switch (token.type) {
      case 'paragraph':
        this.leaf(token.text, token.tokens);
        return;
      case 'text':
        this.leaf(token.text, token.tokens ?? [token]);
        return;
      case 'heading': {
        const mark = /^ {0,3}#{1,6}[ \t]+/.exec(token.raw)?.[0];
        const at = mark ? this.source.indexOf(mark, this.cursor) : -1;
        if (mark && at >= 0) this.cursor = at + mark.length;
        this.leaf(token.text, token.tokens);
        return;
      }
      case 'blockquote':
        this.blocks(token.tokens);
        return;
      case 'list':
        for (const item of token.items) this.item(item);
        return;
      case 'table':
        this.wrapBlock(token.raw, () => {
          for (const { text, tokens } of [token.header, ...token.rows].flat()) this.leaf(text, tokens);
        });
        return;
      case 'code':
        this.wrapBlock(token.raw, () => {
          // Skip the line of the opening fence, which may contain the same text as the code.
          if (token.codeBlockStyle !== 'indented')
            this.cursor = Math.max(this.cursor, this.source.indexOf('\n', this.cursor + 1));
          this.leaf(token.text, null);
        });
        return;
      case 'math':
        this.wrapBlock(token.raw, () => this.leafAsOne(token.raw.trim()));
        return;
      case 'space':
      case 'hr':
      case 'checkbox':
      case 'def':
        return;
      default:
        this.leaf(token.raw.trimEnd(), null);
    }
  }

  private leafAsOne(raw: string): void {
    const places = locate(raw, this.source, this.cursor);
    if (places) this.cursor = places.at(-1)!;
    this.push(formulaMark, places?.[0] ?? -1, places?.at(-1) ?? -1);
  }
}

function marksOf(
  { type, raw, text }: { type: string; raw: string; text: string },
  inner: number,
): Wrap['marks'] {
  if (inner <= 0) return null;
  const [open, close] = [raw.slice(0, inner), raw.slice(inner + text.length)];
  if (type === 'link' && (open !== '[' || !/^\][([]./s.test(close))) return null;
  return { open, close };
}

export function sourceMap(token: Token, source: string, start: number): SourceMap {
  const reader = new Reader(source, start);
  reader.blocks([token]);
  const { visible, from, to, wraps } = reader;
  return { visible, from, to, wraps };
}
