import type { ReactNode } from 'react';
import { MailFrame, mailHtml, mailStyles } from './frame.tsx';

/** A mail that states facts: what a text and its HTML both hold, in this order. */
export interface Letter {
  /** Subject and heading. */
  title: string;
  /** What happened, first of all. */
  opening: string;
  /** Facts, each with its name. */
  facts: Array<readonly [name: string, value: string]>;
  paragraphs: string[];
  button: { label: string; link: string };
  /** Said beside, last. */
  fine: string;
}

const cell = {
  ...mailStyles.font,
  fontSize: '16px',
  lineHeight: '24px',
  padding: '8px 0',
  textAlign: 'left',
} as const;

function Fact({ name, value }: { name: string; value: string }) {
  const line = { ...cell, borderTop: '1px solid #e4e0d8', verticalAlign: 'top' } as const;
  return (
    <tr>
      <th scope="row" style={{ ...line, fontWeight: 400, paddingRight: '20px', whiteSpace: 'nowrap' }}>
        {name}
      </th>
      <td style={{ ...line, fontWeight: 600 }}>{value}</td>
    </tr>
  );
}

function Body({ title, opening, facts, paragraphs, button, fine }: Letter): ReactNode {
  return (
    <MailFrame title={title}>
      <p style={mailStyles.paragraph}>{opening}</p>
      <table style={{ width: '100%', borderCollapse: 'collapse', margin: '0 0 20px' }}>
        <tbody>
          {facts.map(([name, value]) => (
            <Fact key={name} name={name} value={value} />
          ))}
        </tbody>
      </table>
      {paragraphs.map((text) => (
        <p key={text} style={mailStyles.paragraph}>
          {text}
        </p>
      ))}
      <p style={{ margin: '0 0 28px' }}>
        <a href={button.link} style={mailStyles.button}>
          {button.label}
        </a>
      </p>
      <p style={mailStyles.fine}>{fine}</p>
    </MailFrame>
  );
}

/** A mail that states facts, as HTML and as text with the same words. */
export function letter(parts: Letter): { subject: string; text: string; html: string } {
  const { title, opening, facts, paragraphs, button, fine } = parts;
  const lines = facts.map(([name, value]) => `${name}: ${value}`).join('\n');
  const text = [title, opening, lines, ...paragraphs, `${button.label}:\n${button.link}`, fine].join('\n\n');
  return { subject: title, text: `${text}\n`, html: mailHtml(<Body {...parts} />) };
}
