import type { Token, Tokens } from 'marked';
import type { RichBlock, RichRun, RichText } from '#shared/rich-text.ts';
import { lex, type TextToken } from './bounded-lexer.ts';
import { decodeEntities, isLineBreak } from './html-entities.ts';
import { safeLink } from './safe-link.ts';

type RunStyle = Omit<RichRun, 'text'>;

function runOf(token: TextToken, style: RunStyle): RichRun[] {
  switch (token.type) {
    case 'strong':
      return runs(token.tokens, { ...style, bold: true });
    case 'em':
      return runs(token.tokens, { ...style, italic: true });
    case 'del':
      return runs(token.tokens, { ...style, strike: true });
    case 'codespan':
    case 'math':
      return [{ ...style, text: token.text, code: true }];
    case 'note-mark':
      return [{ ...style, text: `[${token.label}]` }];
    case 'br':
      return [{ ...style, text: '\n' }];
    case 'link': {
      const link = safeLink(token.href);
      return runs(token.tokens, link ? { ...style, link } : style);
    }
    case 'image':
      return [{ ...style, text: decodeEntities(token.text) }];
    case 'html':
      return [{ ...style, text: isLineBreak(token.raw) ? '\n' : token.raw }];
    case 'escape':
      return [{ ...style, text: token.text }];
    case 'checkbox':
      return [];
    case 'text':
      return token.tokens ? runs(token.tokens, style) : [{ ...style, text: decodeEntities(token.text) }];
    default:
      return [{ ...style, text: token.raw }];
  }
}

function runs(tokens: Token[] | undefined, style: RunStyle = {}): RichRun[] {
  return (tokens ?? [])
    .flatMap((token) => runOf(token as TextToken, style))
    .filter(({ text }) => text !== '')
    .map((run) => (run.text === '\n' || run.code ? run : { ...run, text: run.text.replaceAll('\n', ' ') }));
}

const task = (item: Tokens.ListItem): RichRun[] => (item.task ? [{ text: item.checked ? '☑ ' : '☐ ' }] : []);

function itemOf(item: Tokens.ListItem): RichBlock[] {
  const [first, ...rest] = item.tokens.flatMap((token) => blocksOf(token as TextToken));
  if (first?.kind !== 'paragraph')
    return [{ kind: 'paragraph', runs: task(item) }, ...(first ? [first] : []), ...rest];
  return [{ ...first, runs: [...task(item), ...first.runs] }, ...rest];
}

const rawParagraphs = (raw: string): RichBlock[] =>
  raw
    .split(/\n[^\S\n]*\n/)
    .map((part) => part.split('\n').filter((line) => line.trim() !== ''))
    .filter((lines) => lines.length > 0)
    .map((lines) => ({
      kind: 'paragraph',
      runs: lines.flatMap((text, at): RichRun[] => (at === 0 ? [{ text }] : [{ text: '\n' }, { text }])),
    }));

function withLabel(label: RichRun[], tokens: Token[]): RichBlock[] {
  const [first, ...rest] = tokens.flatMap((each) => blocksOf(each as TextToken));
  if (first?.kind === 'paragraph') return [{ ...first, runs: [...label, ...first.runs] }, ...rest];
  return [
    ...(label.length > 0 ? [{ kind: 'paragraph' as const, runs: label }] : []),
    ...(first ? [first] : []),
    ...rest,
  ];
}

function blocksOf(token: TextToken): RichBlock[] {
  switch (token.type) {
    case 'paragraph':
      return [{ kind: 'paragraph', runs: runs(token.tokens) }];
    case 'text':
      return [{ kind: 'paragraph', runs: runs(token.tokens ?? [token]) }];
    case 'heading':
      return [{ kind: 'heading', level: token.depth, runs: runs(token.tokens) }];
    case 'code':
    case 'math':
      return [{ kind: 'code', text: token.text }];
    case 'note':
      return withLabel([{ text: `[${token.label}] ` }], token.tokens);
    case 'details':
      return [
        { kind: 'paragraph', runs: runs(token.summary, { bold: true }) },
        ...withLabel([], token.tokens),
      ];
    case 'blockquote':
      return [{ kind: 'quote', blocks: token.tokens.flatMap((each) => blocksOf(each as TextToken)) }];
    case 'list': {
      const start = typeof token.start === 'number' ? token.start : 1;
      return [{ kind: 'list', ordered: token.ordered, start, items: token.items.map(itemOf) }];
    }
    case 'table':
      return [
        {
          kind: 'table',
          align: token.align,
          rows: [token.header, ...token.rows].map((row) => row.map(({ tokens }) => runs(tokens))),
        },
      ];
    case 'hr':
      return [{ kind: 'rule' }];
    case 'space':
    case 'def':
    case 'checkbox':
      return [];
    default:
      return rawParagraphs(token.raw);
  }
}

export const readRichText = (markdown: string, maxBlocks?: number): RichText =>
  lex(markdown, {}, 0, maxBlocks).blocks.flatMap((token) => blocksOf(token as TextToken));
