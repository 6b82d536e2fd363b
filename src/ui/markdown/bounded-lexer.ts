import {
  type Hooks,
  Lexer,
  type MarkedOptions,
  type MarkedToken,
  type Token,
  Tokenizer,
  type Tokens,
  type TokensList,
} from 'marked';
import {
  type Details,
  detailsAt,
  type Footnote,
  type FootnoteToken,
  footnoteAt,
  footnoteLabels,
  footnoteLineIn,
  footnoteReferenceAt,
} from './footnotes.ts';
import { type MathToken, mathAt, mathBlockAt, mathLineIn, withoutMath } from './math-source.ts';

/**
 * Bounds the work that a text can cause. Marked recurses once per nesting level, pads every row of a table to the width
 * of its header, and matches emphasis in time proportional to length times markers: without bounds, 40 kB of crafted
 * text cause a stack overflow, an exhausted heap or eight seconds of blocking (measured with marked 18.2).
 */
const bounds = {
  blockDepth: 10,
  inlineDepth: 24,
  tableCells: 5_000,
  tableColumns: 100,
  inlineWork: 20_000_000,
  formulasInRun: 150,
  formulas: 500,
  /** Blocks and list items; each becomes an element of the page. */
  blocks: 800,
  /** UTF-16 units; a longer paragraph would be laid out as a whole in each frame. */
  paragraph: 8_000,
};

interface Budget {
  blocks: number;
  formulas: number;
  formulasInRun: number;
}

class BoundedTokenizer extends Tokenizer {
  private readonly budget: Budget;

  constructor(budget: Budget) {
    super();
    this.budget = budget;
  }

  override table(src: string): Tokens.Table | undefined {
    const found = this.rules.block.table.exec(src);
    if (!found) return undefined;
    const columns = found[2]!.split('|').length;
    const rows = found[3] ? found[3].split('\n').length + 1 : 1;
    const tooLarge = columns > bounds.tableColumns || columns * rows > bounds.tableCells;
    return tooLarge ? undefined : super.table(src);
  }

  override list(src: string): Tokens.List | undefined {
    // A text shorter than the budget cannot have too many lines, which saves counting them for every list.
    if (src.length <= this.budget.blocks || !this.rules.block.list.exec(src)) return super.list(src);
    let end = -1;
    for (let line = 0; line < this.budget.blocks; line++) {
      end = src.indexOf('\n', end + 1);
      if (end < 0) return super.list(src);
    }
    return super.list(src.slice(0, end + 1));
  }

  override paragraph(src: string): Tokens.Paragraph | undefined {
    const found = super.paragraph(src);
    if (!found || found.raw.length <= bounds.paragraph) return found;
    const blank = found.raw.lastIndexOf(' ', bounds.paragraph);
    return super.paragraph(src.slice(0, blank > 0 ? blank + 1 : bounds.paragraph));
  }

  /** An equals sign in a formula must not turn the text above it into a heading. */
  override lheading(src: string): Tokens.Heading | undefined {
    const end = mathLineIn(src);
    return super.lheading(end < 0 ? src : src.slice(0, end));
  }

  /**
   * Stops at a dollar sign, which marked's own rule would skip. Dollars at the start have already failed to open a
   * formula.
   */
  override inlineText(src: string): Tokens.Text | undefined {
    const end = src.indexOf('$', /^\$*/.exec(src)![0].length || 1);
    return super.inlineText(end < 0 ? src : src.slice(0, end));
  }
}

const hooks: Partial<Hooks> = { emStrongMask: (src) => (src.includes('$') ? withoutMath(src) : src) };

function noteBlock(lexer: Lexer, src: string): Footnote | Details | undefined {
  const note = footnoteAt(src);
  if (note) return { ...note, tokens: lexer.blockTokens(note.text, []) };
  const found = detailsAt(src);
  if (!found) return undefined;
  const { text, summary, ...details } = found;
  return { ...details, summary: lexer.inline(summary), tokens: lexer.blockTokens(text, []) };
}

function extensions(budget: Budget, labels: ReadonlySet<string>): MarkedOptions['extensions'] {
  const counted = (found: MathToken | null) => {
    if (!found || budget.formulas === 0 || budget.formulasInRun === 0) return undefined;
    budget.formulas--;
    budget.formulasInRun--;
    return found;
  };
  const rest = (src: string): Tokens.Generic | undefined =>
    budget.blocks-- > 0 ? undefined : { type: 'html', raw: src, text: src, block: true };
  return {
    renderers: {},
    childTokens: {},
    block: [
      (src) => {
        budget.formulasInRun = bounds.formulasInRun;
        return rest(src) ?? counted(mathBlockAt(src));
      },
      function (src) {
        return noteBlock(this.lexer as Lexer, src);
      },
    ],
    inline: [(src) => counted(mathAt(src)), (src) => footnoteReferenceAt(src, labels) ?? undefined],
    startBlock: [mathLineIn, footnoteLineIn],
  };
}

const asText = (src: string): Token => ({ type: 'text', raw: src, text: src, escaped: false });

class BoundedLexer extends Lexer {
  private blockDepth = 0;
  private inlineDepth = 0;
  private inlineWork = 0;
  private readonly budget: Budget;

  constructor(budget: Budget, labels: ReadonlySet<string>) {
    super({
      gfm: true,
      tokenizer: new BoundedTokenizer(budget),
      hooks: hooks as Hooks,
      extensions: extensions(budget, labels),
    });
    this.budget = budget;
  }

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
    if (this.inlineDepth === 0) {
      this.inlineWork += work(src);
      this.budget.formulasInRun = bounds.formulasInRun;
    }
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

function work(src: string): number {
  let markers = 1;
  for (let i = 0; i < src.length; i++) {
    if ('*_~[]`<@!'.includes(src[i]!)) markers++;
  }
  return markers * src.length;
}

export type TextToken = MarkedToken | MathToken | FootnoteToken;

export type Links = Lexer['tokens']['links'];

interface Lexed {
  blocks: Token[];
  links: Links;
}

/**
 * Lexes a text. `links` are known definitions, `maxBlocks` is the number of blocks allowed, including `blocksAbove`. Text
 * beyond the bounds, or that marked cannot parse, becomes plain text.
 */
export function lex(
  text: string,
  links: Links = {},
  blocksAbove = 0,
  maxBlocks: number = bounds.blocks,
): Lexed {
  const { formulas, formulasInRun } = bounds;
  const lexer = new BoundedLexer(
    { blocks: maxBlocks - blocksAbove, formulas, formulasInRun },
    footnoteLabels(text),
  );
  Object.assign(lexer.tokens.links, links);
  try {
    return { blocks: [...lexer.lex(text)], links: lexer.tokens.links };
  } catch {
    return { blocks: text ? [{ type: 'paragraph', raw: text, text, tokens: [asText(text)] }] : [], links };
  }
}
