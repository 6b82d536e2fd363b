import type { ReactNode } from 'react';
import { MailLayout, mailHtml, mailStyles } from './mail-layout.tsx';

export interface MailContent {
  title: string;
  opening: string;
  facts?: Array<readonly [name: string, value: string]>;
  paragraphs?: string[];
  button: { label: string; link: string };
  finePrint: string;
}

const cell = {
  ...mailStyles.font,
  fontSize: '16px',
  lineHeight: '24px',
  padding: '8px 0',
  textAlign: 'start',
} as const;

function Fact({ name, value }: { name: string; value: string }) {
  const line = { ...cell, borderTop: '1px solid #e4e0d8', verticalAlign: 'top' } as const;
  return (
    <tr>
      <th scope="row" style={{ ...line, fontWeight: 400, paddingInlineEnd: '20px', whiteSpace: 'nowrap' }}>
        {name}
      </th>
      <td style={{ ...line, fontWeight: 600 }}>{value}</td>
    </tr>
  );
}

function Body({ title, opening, facts = [], paragraphs = [], button, finePrint }: MailContent): ReactNode {
  return (
    <MailLayout title={title}>
      <p style={mailStyles.paragraph}>{opening}</p>
      {facts.length > 0 ? (
        <table style={{ width: '100%', borderCollapse: 'collapse', margin: '0 0 20px' }}>
          <tbody>
            {facts.map(([name, value]) => (
              <Fact key={name} name={name} value={value} />
            ))}
          </tbody>
        </table>
      ) : null}
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
      <p style={mailStyles.finePrint}>{finePrint}</p>
    </MailLayout>
  );
}

export function renderMail(parts: MailContent): { subject: string; text: string; html: string } {
  const { title, opening, facts = [], paragraphs = [], button, finePrint } = parts;
  const lines = facts.map(([name, value]) => `${name}: ${value}`).join('\n');
  const text = [title, opening, lines, ...paragraphs, `${button.label}:\n${button.link}`, finePrint]
    .filter((part) => part !== '')
    .join('\n\n');
  return { subject: title, text: `${text}\n`, html: mailHtml(<Body {...parts} />) };
}
