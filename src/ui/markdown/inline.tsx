import type { MarkedToken, Token } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { decodeEntities } from './entities.ts';
import { MathView } from './math.tsx';
import type { MathToken } from './math-source.ts';
import { pictureHost, safeLink } from './safe-link.ts';

const isBreak = (raw: string) => /^<br\s*\/?>$/i.test(raw.trim());

/** A picture is never loaded: it could carry what the chat says to its host. It is offered as a link. */
function Picture({ href, alt, linked }: { href: string; alt: string; linked: boolean }) {
  const host = pictureHost(href);
  if (host === null) return <>{alt}</>;
  const label = `${alt ? `${alt}, ` : ''}image from ${host}`;
  return linked ? <span>{label}</span> : <OutLink href={href}>{label}</OutLink>;
}

/** Whether the text of a link is its address, which then is not printed again. */
const isBare = (href: string, text: string) =>
  href.replace(/^\w+:\/\/|\/$/g, '') === text.replace(/^\w+:\/\/|\/$/g, '');

interface LinkProps {
  href: string;
  /** The text between the brackets, as it is written. */
  text?: string;
  children: ReactNode;
}

function OutLink({ href, text, children }: LinkProps) {
  const safe = safeLink(href);
  if (safe === null) return <>{children}</>;
  const bare = text !== undefined && isBare(safe, text) ? '' : undefined;
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer" data-bare={bare}>
      {children}
    </a>
  );
}

function inlineToken(token: MarkedToken | MathToken, linked: boolean): ReactNode {
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
        <OutLink href={token.href} text={token.text}>
          {inline(token.tokens, true)}
        </OutLink>
      );
    case 'image':
      return <Picture href={token.href} alt={decodeEntities(token.text)} linked={linked} />;
    case 'html':
      return isBreak(token.raw) ? <br /> : token.raw;
    case 'escape':
      return token.text;
    case 'checkbox':
      return null;
    case 'math':
      return <MathView token={token} />;
    case 'text':
      return token.tokens ? inline(token.tokens, linked) : decodeEntities(token.text);
    default:
      return token.raw;
  }
}

/** Inline tokens as elements. Raw HTML is shown as text; `linked` says that they stand inside a link. */
export function inline(tokens: Token[] | undefined, linked = false): ReactNode {
  return tokens?.map((token, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity but their place
    <Fragment key={at}>{inlineToken(token as MarkedToken | MathToken, linked)}</Fragment>
  ));
}
