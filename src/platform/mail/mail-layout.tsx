import type { CSSProperties, ReactElement, ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { locale } from '#messages';
import { textDirection } from '#shared/language-path.ts';

const font = { fontFamily: 'system-ui, -apple-system, "Segoe UI", sans-serif', color: '#1c1b1a' };
const paragraph = { ...font, fontSize: '16px', lineHeight: '24px', margin: '0 0 20px' };

/** Inline styles, because mail programs ignore style sheets. */
export const mailStyles = {
  font,
  paragraph,
  finePrint: { ...paragraph, fontSize: '14px', lineHeight: '20px', margin: 0 },
  button: {
    ...font,
    display: 'inline-block',
    padding: '12px 22px',
    borderRadius: '8px',
    background: '#1c1b1a',
    color: '#fffefc',
    fontSize: '16px',
    fontWeight: 600,
    textDecoration: 'none',
  },
} satisfies Record<string, CSSProperties>;

const card = {
  maxWidth: '480px',
  margin: '0 auto',
  padding: '32px',
  background: '#fffefc',
  borderRadius: '12px',
};

export function MailLayout({ title, children }: { title: string; children: ReactNode }) {
  return (
    <html lang={locale()} dir={textDirection(locale())}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>{title}</title>
      </head>
      <body style={{ margin: 0, padding: '32px 16px', background: '#f6f4f0' }}>
        <div style={card}>
          <h1 style={{ ...font, fontSize: '22px', lineHeight: '28px', margin: '0 0 20px' }}>{title}</h1>
          {children}
        </div>
      </body>
    </html>
  );
}

export function mailHtml(body: ReactElement): string {
  return `<!doctype html>${renderToStaticMarkup(body)}`;
}
