import type { Token, Tokens } from 'marked';
import { memo, type ReactNode, useContext } from 'react';
import { locale, m } from '#messages';
import type { TextToken } from './bounded-lexer.ts';
import { CodeBlock } from './code-block.tsx';
import { inline } from './inline-markdown.tsx';
import { MarkdownParts } from './markdown-parts.ts';
import { inlineText } from './markdown-to-text.ts';
import { MathView } from './math.tsx';

const headingTags = { 3: 'h3', 4: 'h4', 5: 'h5', 6: 'h6' } as const;

const isClosed = (token: Tokens.Code) =>
  token.codeBlockStyle === 'indented' || /\n[ \t>]*(?:`{3,}|~{3,})[ \t]*\n*$/.test(token.raw);

function children(tokens: Token[], definitions: string, open: boolean, loose = true): ReactNode {
  return tokens.map((token, at) => {
    if (token.type === 'space' || token.type === 'def' || token.type === 'checkbox') return null;
    const isLast = at === tokens.length - 1;
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other key
    return <MemoBlock key={at} token={token} definitions={definitions} open={open && isLast} loose={loose} />;
  });
}

function Item({ item, definitions, open }: { item: Tokens.ListItem; definitions: string; open: boolean }) {
  const content = children(item.tokens, definitions, open, item.loose);
  if (!item.task) return <li>{content}</li>;
  return (
    <li className="md-task">
      <span role="img" aria-label={item.checked ? m.task_done() : m.task_open()}>
        {item.checked ? '☑' : '☐'}
      </span>
      <div>{content}</div>
    </li>
  );
}

const MemoItem = memo(
  Item,
  (previous, next) =>
    previous.item.raw === next.item.raw &&
    previous.item.loose === next.item.loose &&
    previous.definitions === next.definitions &&
    previous.open === next.open,
);

function List({ list, definitions, open }: { list: Tokens.List; definitions: string; open: boolean }) {
  const items = list.items.map((item, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items have no other key
    <MemoItem key={at} item={item} definitions={definitions} open={open && at === list.items.length - 1} />
  ));
  if (!list.ordered) return <ul dir="auto">{items}</ul>;
  const start = typeof list.start === 'number' && list.start !== 1 ? list.start : undefined;
  return (
    <ol start={start} dir="auto">
      {items}
    </ol>
  );
}

const maxNameLength = 80;

function tableName({ header }: Tokens.Table): string {
  const columns = header.map(({ tokens }) => inlineText(tokens).trim()).filter((name) => name !== '');
  const list = new Intl.ListFormat(locale(), { type: 'unit' }).format(columns);
  const name = m.common_table({ count: columns.length, columns: list });
  return name.length > maxNameLength ? `${[...name].slice(0, maxNameLength - 1).join('')}…` : name;
}

function Table({ table }: { table: Tokens.Table }) {
  const cell = (Tag: 'th' | 'td', content: Tokens.TableCell, at: number) => (
    <Tag key={at} className={content.align ? `md-${content.align}` : undefined}>
      {inline(content.tokens)}
    </Tag>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; a region would be a landmark
    <div className="md-table" role="group" aria-label={tableName(table)} tabIndex={0}>
      <table dir="auto">
        <thead>
          <tr>{table.header.map((content, at) => cell('th', content, at))}</tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other key
            <tr key={at}>{row.map((content, column) => cell('td', content, column))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface BlockProps {
  token: Token;
  definitions: string;
  open: boolean;
  loose?: boolean;
  level?: number;
}

function BlockView({ token: generic, definitions, open, loose = true, level }: BlockProps): ReactNode {
  const parts = useContext(MarkdownParts);
  const token = generic as TextToken;
  switch (token.type) {
    case 'paragraph':
      return <p>{inline(token.tokens)}</p>;
    case 'text': {
      const content = inline(token.tokens ?? [token]);
      return loose ? <p>{content}</p> : content;
    }
    case 'heading': {
      const Tag = headingTags[level as keyof typeof headingTags] ?? 'h6';
      return <Tag className={`md-h${token.depth}`}>{inline(token.tokens)}</Tag>;
    }
    case 'code': {
      const Code = parts?.Code ?? CodeBlock;
      return <Code code={token.text} info={token.lang ?? ''} closed={!open || isClosed(token)} />;
    }
    case 'blockquote':
      return <blockquote dir="auto">{children(token.tokens, definitions, open)}</blockquote>;
    case 'list':
      return <List list={token} definitions={definitions} open={open} />;
    case 'table':
      return <Table table={token} />;
    case 'hr':
      return <hr />;
    case 'math':
      return <MathView token={token} />;
    case 'note':
      return (
        <div className="md-note">
          <sup>{token.label}</sup>
          <div>{children(token.tokens, definitions, open)}</div>
        </div>
      );
    case 'details':
      return (
        <details className="md-details" open={token.isOpen}>
          <summary>{inline(token.summary)}</summary>
          {children(token.tokens, definitions, open)}
        </details>
      );
    case 'html':
      return <p className="md-raw">{token.raw.trimEnd()}</p>;
    default:
      return <p>{token.raw}</p>;
  }
}

export const MemoBlock = memo(
  BlockView,
  (previous, next) =>
    previous.token.raw === next.token.raw &&
    previous.token.type === next.token.type &&
    previous.definitions === next.definitions &&
    previous.open === next.open &&
    previous.loose === next.loose &&
    previous.level === next.level,
);
