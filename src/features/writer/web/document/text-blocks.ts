import type { Token } from 'marked';
import { lex } from '#ui/markdown/bounded-lexer.ts';
import type { Passage } from './passage.ts';

export interface TextBlock {
  token: Token;
  /** UTF-16 units; `to` excludes the blank lines after the block. */
  from: number;
  to: number;
  /** Level of a heading on the page, 3 to 6; 0 for other blocks. */
  level: number;
}

function levelOf(token: Token, open: number[]): number {
  if (token.type !== 'heading') return 0;
  while (open.length > 0 && open.at(-1)! >= token.depth) open.pop();
  open.push(token.depth);
  return Math.min(2 + open.length, 6);
}

/** Returns the whole text as one block if the parsed blocks do not add up to it. */
export function textBlocksOf(text: string): TextBlock[] {
  const { blocks } = lex(text);
  if (blocks.map(({ raw }) => raw).join('') !== text)
    return [
      { token: { type: 'paragraph', raw: text, text, tokens: [] }, from: 0, to: text.length, level: 0 },
    ];
  const open: number[] = [];
  let at = 0;
  return blocks.flatMap((token) => {
    const from = at;
    at += token.raw.length;
    if (token.type === 'space') return [];
    return [{ token, from, to: from + token.raw.trimEnd().length, level: levelOf(token, open) }];
  });
}

export function passageAt(blocks: TextBlock[], { from, to }: Pick<Passage, 'from' | 'to'>): Passage | null {
  const first = blocks.findIndex((block) => block.to > from);
  const last = blocks.findLastIndex((block) => block.from < to);
  return first < 0 || last < first ? null : { from, to, first, last };
}
