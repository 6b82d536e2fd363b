import {
  type Hooks,
  Lexer,
  type MarkedOptions,
  type Token,
  Tokenizer,
  type Tokens,
  type TokensList,
} from 'marked';
import { mathAt, mathBlockAt, mathLineIn, withoutMath } from './math-source.ts';

/**
 * Bounds of the work that a text may cause. Marked recurses once per level of nesting, pads every row of a table to the
 * width of its header, and matches emphasis in a time that grows with length times markers: without bounds 40 kB of
 * crafted text end in a stack overflow, an exhausted heap or eight seconds of blocking (measured with marked 18.2).
 */
const bounds = { blockDepth: 10, inlineDepth: 24, tableCells: 10_000, inlineWork: 20_000_000, formulas: 500 };

class BoundedTokenizer extends Tokenizer {
  override table(src: string): Tokens.Table | undefined {
    const found = this.rules.block.table.exec(src);
    if (!found) return undefined;
    const columns = found[2]!.split('|').length;
    const rows = found[3] ? found[3].split('\n').length + 1 : 1;
    return columns * rows > bounds.tableCells ? undefined : super.table(src);
  }

  /** An equals sign in a line of a formula does not make a heading of what stands above. */
  override lheading(src: string): Tokens.Heading | undefined {
    const end = mathLineIn(src);
    return super.lheading(end < 0 ? src : src.slice(0, end));
  }

  /** Marked's own text goes on over a dollar sign. Those that it begins with open no formula. */
  override inlineText(src: string): Tokens.Text | undefined {
    const end = src.indexOf('$', /^\$*/.exec(src)![0].length || 1);
    return super.inlineText(end < 0 ? src : src.slice(0, end));
  }
}

/** The only hook that the lexer asks for. */
const hooks: Partial<Hooks> = { emStrongMask: (src) => (src.includes('$') ? withoutMath(src) : src) };

/** Formulas as tokens of their own, so many of them in one text. */
function mathExtensions(): MarkedOptions['extensions'] {
  let left = bounds.formulas;
  const counted = (found: ReturnType<typeof mathAt>) => (found && left-- > 0 ? found : undefined);
  return {
    renderers: {},
    childTokens: {},
    block: [(src) => counted(mathBlockAt(src))],
    inline: [(src) => counted(mathAt(src))],
    startBlock: [mathLineIn],
  };
}

const asText = (src: string): Token => ({ type: 'text', raw: src, text: src, escaped: false });

class BoundedLexer extends Lexer {
  private blockDepth = 0;
  private inlineDepth = 0;
  private inlineWork = 0;

  override blockTokens(src: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[];
  override blockTokens(src: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList;
  override blockTokens(src: string, tokens: Token[] = [], lastParagraphClipped = false): Token[] {
    if (this.blockDepth >= bounds.blockDepth) {
      if (src) tokens.push(asText(src));
      this.state.top = true;
      return tokens;
    }
    this.blockDepth++;
    try {
      return super.blockTokens(src, tokens, lastParagraphClipped);
    } finally {
      this.blockDepth--;
    }
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (this.inlineDepth === 0) this.inlineWork += work(src);
    if (this.inlineDepth >= bounds.inlineDepth || this.inlineWork > bounds.inlineWork) {
      if (src) tokens.push(asText(src));
      return tokens;
    }
    this.inlineDepth++;
    try {
      return super.inlineTokens(src, tokens);
    } finally {
      this.inlineDepth--;
    }
  }
}

/** Upper estimate of the steps for one run of inline text: its length times its markers. */
function work(src: string): number {
  let markers = 1;
  for (let i = 0; i < src.length; i++) {
    if ('*_~[]`<@!'.includes(src[i]!)) markers++;
  }
  return markers * src.length;
}

export type Links = Lexer['tokens']['links'];

export interface Lexed {
  blocks: Token[];
  /** Link reference definitions, those given and those found. */
  links: Links;
}

/**
 * Lexes GFM text into marked's block tokens; `links` are definitions known from before. Nesting, tables and emphasis
 * beyond the bounds, and texts that marked cannot read, become plain text.
 */
export function lex(text: string, links: Links = {}): Lexed {
  const lexer = new BoundedLexer({
    gfm: true,
    tokenizer: new BoundedTokenizer(),
    hooks: hooks as Hooks,
    extensions: mathExtensions(),
  });
  Object.assign(lexer.tokens.links, links);
  try {
    return { blocks: [...lexer.lex(text)], links: lexer.tokens.links };
  } catch {
    return { blocks: text ? [{ type: 'paragraph', raw: text, text, tokens: [asText(text)] }] : [], links };
  }
}
