import { Children, type CSSProperties, type ReactNode } from 'react';
import { m } from '#messages';
import { renderPlainText } from '#platform/file-formats/plain-text.server.ts';
import { MailLayout, mailHtml, mailStyles } from '#platform/mail/mail-layout.tsx';
import { sentenceSeparator } from '#shared/join-sentences.ts';
import type { RichBlock, RichRun } from '#shared/rich-text.ts';
import { readRichText } from '#ui/markdown/read-rich-text.ts';

interface IssueMailFacts {
  brand: string;
  subject: string;
  /** Markdown; links to our own pages start with `/`. */
  body: string;
  /** Without a trailing slash. */
  publicUrl: string;
  /** Null in a trial for somebody without a subscription. */
  leaveLink: string | null;
  sender: readonly string[];
}

const { font, paragraph, finePrint } = mailStyles;
const heading = { ...font, fontSize: '18px', lineHeight: '24px', margin: '28px 0 12px' };
const link = { color: '#1c1b1a', textDecoration: 'underline' };
const mono = { fontFamily: 'ui-monospace, Menlo, monospace', fontSize: '14px' };
const cell: CSSProperties = {
  ...font,
  fontSize: '15px',
  lineHeight: '22px',
  padding: '8px 12px 8px 0',
  borderTop: '1px solid #e4e0d8',
  textAlign: 'start',
  verticalAlign: 'top',
};

function renderRun({ text, bold, italic, strike, code, link: href }: RichRun): ReactNode {
  if (text === '\n') return <br />;
  let shown: ReactNode = text;
  if (code) shown = <code style={mono}>{shown}</code>;
  if (strike) shown = <s>{shown}</s>;
  if (italic) shown = <em>{shown}</em>;
  if (bold) shown = <strong>{shown}</strong>;
  return href ? (
    <a href={href} style={link}>
      {shown}
    </a>
  ) : (
    shown
  );
}

/** Uses React's automatic keys, because the rendered order never changes. */
const renderEach = <T,>(items: T[], render: (item: T) => ReactNode) => Children.toArray(items.map(render));

const renderRuns = (runs: RichRun[]) => renderEach(runs, renderRun);
const renderBlocks = (list: RichBlock[]) => renderEach(list, renderBlock);

function renderItem([first, ...rest]: RichBlock[]): ReactNode {
  return (
    <li style={{ margin: '0 0 6px' }}>
      {first?.kind === 'paragraph' ? renderRuns(first.runs) : first ? renderBlock(first) : null}
      {renderBlocks(rest)}
    </li>
  );
}

const renderHeaderCell = (runs: RichRun[]) => (
  <th scope="col" style={cell}>
    {renderRuns(runs)}
  </th>
);
const renderCell = (runs: RichRun[]) => <td style={cell}>{renderRuns(runs)}</td>;
const renderRow = (cells: RichRun[][]) => <tr>{renderEach(cells, renderCell)}</tr>;

function Table({ rows: [head = [], ...rows] }: { rows: RichRun[][][] }) {
  return (
    <table style={{ width: '100%', borderCollapse: 'collapse', margin: '0 0 20px' }}>
      <thead>
        <tr>{renderEach(head, renderHeaderCell)}</tr>
      </thead>
      <tbody>{renderEach(rows, renderRow)}</tbody>
    </table>
  );
}

function renderList({ ordered, start, items }: Extract<RichBlock, { kind: 'list' }>): ReactNode {
  const inner = renderEach(items, renderItem);
  const style = { ...paragraph, paddingInlineStart: '24px' };
  return ordered ? (
    <ol start={start} style={style}>
      {inner}
    </ol>
  ) : (
    <ul style={style}>{inner}</ul>
  );
}

function renderBlock(block: RichBlock): ReactNode {
  switch (block.kind) {
    case 'heading':
      return block.level > 2 ? (
        <h3 style={{ ...heading, fontSize: '16px' }}>{renderRuns(block.runs)}</h3>
      ) : (
        <h2 style={heading}>{renderRuns(block.runs)}</h2>
      );
    case 'paragraph':
      return <p style={paragraph}>{renderRuns(block.runs)}</p>;
    case 'list':
      return renderList(block);
    case 'quote':
      return (
        <blockquote
          style={{ margin: '0 0 20px', paddingInlineStart: '16px', borderInlineStart: '3px solid #e4e0d8' }}
        >
          {renderBlocks(block.blocks)}
        </blockquote>
      );
    case 'code':
      return (
        <pre
          style={{ ...paragraph, ...mono, whiteSpace: 'pre-wrap', background: '#f6f4f0', padding: '12px' }}
        >
          {block.text}
        </pre>
      );
    case 'table':
      return <Table rows={block.rows} />;
    case 'rule':
      return <hr style={{ border: 0, borderTop: '1px solid #e4e0d8', margin: '28px 0' }} />;
  }
}

/** Makes links to our own pages absolute. */
export const withAbsoluteLinks = (body: string, publicUrl: string): string =>
  body.replace(/(\]\()(\/(?!\/))/g, `$1${publicUrl}$2`);

export function issueMail({ brand, subject, body, publicUrl, leaveLink, sender }: IssueMailFacts) {
  const text = readRichText(withAbsoluteLinks(body, publicUrl));
  const html = mailHtml(
    <MailLayout title={subject}>
      {renderBlocks(text)}
      <p style={{ ...finePrint, borderTop: '1px solid #e4e0d8', paddingTop: '16px' }}>
        {m.mail_issue_why({ brand })}
        {sentenceSeparator()}
        {leaveLink === null ? (
          m.mail_issue_trial()
        ) : (
          <a href={leaveLink} style={link}>
            {m.newsletter_unsubscribe()}
          </a>
        )}
      </p>
      <p style={{ ...finePrint, marginTop: '12px' }}>{sender.join(', ')}</p>
    </MailLayout>,
  );
  const leaveLine = leaveLink === null ? m.mail_issue_trial() : `${m.newsletter_unsubscribe()}: ${leaveLink}`;
  return {
    subject,
    text: `${subject}\n\n${renderPlainText(text)}\n--\n${m.mail_issue_why({ brand })}\n${leaveLine}\n${sender.join(', ')}\n`,
    html,
  };
}
