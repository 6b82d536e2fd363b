import type { Token } from 'marked';
import { Fragment, type ReactNode } from 'react';
import type { TextToken } from './bounded-lexer.ts';
import { ExternalLink } from './external-link.tsx';
import { decodeEntities, isLineBreak } from './html-entities.ts';
import { imageLabel } from './image-label.ts';
import { inlineText } from './markdown-to-text.ts';
import { MathView } from './math.tsx';
import { pictureHost } from './safe-link.ts';
import { LinkMark, mayContainMarks, TextWithMarks } from './source-marks.tsx';

/** Isolates characters that change the direction of the text around them. */
const isolated = (text: string): ReactNode =>
  /[\u202a-\u202e\u2066-\u2069]/.test(text) ? <bdi>{text}</bdi> : text;

const plainText = (text: string, linked: boolean): ReactNode =>
  !linked && mayContainMarks(text) ? <TextWithMarks text={text} plain={isolated} /> : isolated(text);

/** An image is never loaded, because its address could send the chat's content to the host. */
function Picture({ href, alt, linked }: { href: string; alt: string; linked: boolean }) {
  const host = pictureHost(href);
  if (host === null) return <>{alt}</>;
  const label = imageLabel(alt, host);
  return linked ? (
    <span>{label}</span>
  ) : (
    <ExternalLink href={href} text={null}>
      {label}
    </ExternalLink>
  );
}

function inlineToken(token: TextToken, linked: boolean): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens, linked)}</strong>;
    case 'em':
      return <em>{inline(token.tokens, linked)}</em>;
    case 'del':
      return <del>{inline(token.tokens, linked)}</del>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return linked ? (
        inline(token.tokens, true)
      ) : (
        <>
          <ExternalLink href={token.href} text={inlineText(token.tokens)}>
            {inline(token.tokens, true)}
          </ExternalLink>
          <LinkMark href={token.href} />
        </>
      );
    case 'image':
      return <Picture href={token.href} alt={decodeEntities(token.text)} linked={linked} />;
    case 'html':
      return isLineBreak(token.raw) ? <br /> : isolated(token.raw);
    case 'escape':
      return token.text;
    case 'checkbox':
      return null;
    case 'note-mark':
      return <sup className="md-note-mark">{token.label}</sup>;
    case 'math':
      return <MathView token={token} />;
    case 'text':
      return token.tokens ? inline(token.tokens, linked) : plainText(decodeEntities(token.text), linked);
    default:
      return token.raw;
  }
}

export function inline(tokens: Token[] | undefined, linked = false): ReactNode {
  return tokens?.map((token, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no other key
    <Fragment key={at}>{inlineToken(token as TextToken, linked)}</Fragment>
  ));
}
