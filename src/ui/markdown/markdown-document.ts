import type { Token } from 'marked';
import { type Links, lex } from './bounded-lexer.ts';
import { repairIncomplete } from './incomplete-markdown.ts';

export interface Block {
  token: Token;
  definitions: string;
}

const definitionsText = (links: Links) => {
  const names = Object.keys(links);
  return names.length === 0 ? '' : names.map((name) => `${name} ${links[name]!.href}`).join('\n');
};

const blocksOf = (tokens: Token[], links: Links): Block[] => {
  const definitions = definitionsText(links);
  return tokens
    .filter((token) => token.type !== 'space' && token.type !== 'def')
    .map((token) => ({ token, definitions }));
};

/** A carriage return at the end may be half of a line break, so it waits for more text. */
const normalize = (text: string) =>
  text.includes('\r') ? text.replace(/\r$/, '').replace(/\r\n|\r/g, '\n') : text;

export function readDocument(text: string): Block[] {
  const { blocks, links } = lex(normalize(text));
  return blocksOf(blocks, links);
}

/**
 * Parses a growing text by lexing only its end again. Blocks before the last two cannot change any more: an unfinished
 * line belongs to the last block or is merged into the one before it.
 */
export class GrowingDocument {
  private done: Block[] = [];
  private doneSource = '';
  private links: Links = {};

  read(text: string): Block[] {
    const source = normalize(text);
    if (!source.startsWith(this.doneSource)) {
      this.done = [];
      this.doneSource = '';
      this.links = {};
    }
    const tail = source.slice(this.doneSource.length);
    const { blocks, links } = lex(repairIncomplete(tail), this.links, this.done.length);
    const settled = settledCount(blocks);
    const settledText = blocks
      .slice(0, settled)
      .map((token) => token.raw)
      .join('');
    if (settled === 0 || !tail.startsWith(settledText)) return [...this.done, ...blocksOf(blocks, links)];
    this.done = [...this.done, ...blocksOf(blocks.slice(0, settled), links)];
    this.doneSource += settledText;
    for (const token of blocks.slice(0, settled)) {
      if (token.type === 'def' && !this.links[token.tag])
        this.links[token.tag] = { href: token.href, title: token.title };
    }
    return [...this.done, ...blocksOf(blocks.slice(settled), links)];
  }
}

function settledCount(tokens: Token[]): number {
  let blocks = 0;
  for (let at = tokens.length - 1; at >= 0; at--) {
    if (tokens[at]!.type !== 'space' && ++blocks === 2) return at;
  }
  return 0;
}
