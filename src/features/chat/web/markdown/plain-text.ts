import type { MarkedToken, Token, Tokens } from 'marked';
import { lex } from './bounded-lexer.ts';
import { decodeEntities } from './entities.ts';

const inlineText = (tokens: Token[]): string => tokens.map((token) => textOf(token as MarkedToken)).join('');

const blockText = (tokens: Token[]): string =>
  tokens
    .map((token) => textOf(token as MarkedToken).trim())
    .filter((text) => text !== '')
    .join('\n');

const row = (cells: Tokens.TableCell[]) => cells.map(({ tokens }) => inlineText(tokens)).join(', ');

function textOf(token: MarkedToken): string {
  switch (token.type) {
    case 'space':
    case 'def':
    case 'hr':
    case 'checkbox':
      return '';
    case 'list':
      return token.items.map(({ tokens }) => blockText(tokens)).join('\n');
    case 'blockquote':
      return blockText(token.tokens);
    case 'table':
      return [token.header, ...token.rows].map(row).join('\n');
    case 'br':
      return '\n';
    case 'code':
    case 'codespan':
    case 'escape':
    case 'html':
      return token.text;
    case 'image':
      return decodeEntities(token.text);
    case 'paragraph':
    case 'heading':
    case 'strong':
    case 'em':
    case 'del':
    case 'link':
      return inlineText(token.tokens);
    case 'text':
      return token.tokens ? inlineText(token.tokens) : decodeEntities(token.text);
    default:
      return (token as Token).raw;
  }
}

/** A text without its Markdown, a block a line. */
export const plainText = (markdown: string): string => blockText(lex(markdown).blocks);
