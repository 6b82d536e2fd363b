import type { Token, Tokens } from 'marked';
import { lex, type TextToken } from './bounded-lexer.ts';
import { decodeEntities, isLineBreak } from './html-entities.ts';

export function inlineText(tokens: Token[] | undefined): string {
  return (tokens ?? []).map((token) => tokenText(token as TextToken)).join('');
}

function tokenText(token: TextToken): string {
  switch (token.type) {
    case 'br':
      return '\n';
    case 'note-mark':
      return `[${token.label}]`;
    case 'codespan':
    case 'escape':
    case 'math':
      return token.text;
    case 'image':
      return decodeEntities(token.text);
    case 'html':
      return isLineBreak(token.raw) ? '\n' : token.raw;
    case 'text':
      return token.tokens ? inlineText(token.tokens) : decodeEntities(token.text);
    case 'checkbox':
      return '';
    default:
      return 'tokens' in token ? inlineText(token.tokens) : token.raw;
  }
}

const indented = (text: string, prefix: string) => text.replaceAll('\n', `\n${prefix}`);

function listText(list: Tokens.List): string {
  const first = typeof list.start === 'number' ? list.start : 1;
  const items = list.items.map((item, at) => {
    const mark = list.ordered ? `${first + at}. ` : '- ';
    const task = item.task ? `[${item.checked ? 'x' : ' '}] ` : '';
    return mark + task + indented(blocks(item.tokens, item.loose ? '\n\n' : '\n'), ' '.repeat(mark.length));
  });
  return items.join(list.loose ? '\n\n' : '\n');
}

function blockText(token: TextToken): string {
  switch (token.type) {
    case 'paragraph':
    case 'heading':
      return inlineText(token.tokens);
    case 'text':
      return inlineText(token.tokens ?? [token]);
    case 'code':
    case 'math':
      return token.text;
    case 'note':
      return `[${token.label}] ${blocks(token.tokens, '\n\n')}`;
    case 'details':
      return [inlineText(token.summary), blocks(token.tokens, '\n\n')].join('\n\n');
    case 'blockquote':
      return blocks(token.tokens, '\n\n');
    case 'list':
      return listText(token);
    case 'table':
      return [token.header, ...token.rows]
        .map((row) => row.map((cell) => inlineText(cell.tokens)).join('\t'))
        .join('\n');
    case 'checkbox':
    case 'hr':
    case 'space':
    case 'def':
      return '';
    default:
      return token.raw.trimEnd();
  }
}

function blocks(tokens: Token[], separator: string): string {
  return tokens
    .map((token) => blockText(token as TextToken))
    .filter((text) => text !== '')
    .join(separator);
}

export const markdownToText = (markdown: string): string => blocks(lex(markdown).blocks, '\n\n');

function withoutCode(tokens: Token[]): Token[] {
  return tokens
    .filter(({ type }) => type !== 'code')
    .map((token) => {
      if (token.type === 'list')
        return {
          ...token,
          items: (token as Tokens.List).items.map((item) => ({ ...item, tokens: withoutCode(item.tokens) })),
        };
      return token.type === 'blockquote' ? { ...token, tokens: withoutCode(token.tokens ?? []) } : token;
    });
}

const sourceNumber = /\s?\[\d+\]/g;

/** Returns the text for speech, without code blocks and source numbers; empty if nothing else is left. */
export const markdownToSpeech = (markdown: string): string =>
  blocks(withoutCode(lex(markdown).blocks), '\n\n').replace(sourceNumber, '');
