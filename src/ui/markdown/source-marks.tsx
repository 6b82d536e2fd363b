import { Fragment, type MouseEvent, type ReactNode, useContext } from 'react';
import { m } from '#messages';
import { SourcesOfText, type TextSources } from './markdown-parts.ts';
import { safeLink } from './safe-link.ts';

export const mayContainMarks = (text: string): boolean => /\[\d{1,2}\]/.test(text);

/** Scrolls and moves the focus without a new history entry. */
function goTo(event: MouseEvent<HTMLAnchorElement>, id: string): void {
  const target = document.getElementById(id);
  if (!target) return;
  event.preventDefault();
  target.scrollIntoView({ block: 'nearest' });
  target.focus({ preventScroll: true });
}

function Mark({ sources, number }: { sources: TextSources; number: number }) {
  const id = sources.idOf(number);
  return (
    <a
      href={`#${id}`}
      className="align-super text-xs no-underline hover:underline"
      aria-label={m.chat_source_mark({ number })}
      onClick={(event) => goTo(event, id)}
    >
      [{number}]
    </a>
  );
}

/** Turns `[1]` into a link to the first source; a number without a source stays text. */
export function TextWithMarks({ text, plain }: { text: string; plain: (text: string) => ReactNode }) {
  const sources = useContext(SourcesOfText);
  if (!sources) return plain(text);
  return text.split(/(\[\d{1,2}\])/).map((part, at) => {
    const number = at % 2 === 1 ? Number(part.slice(1, -1)) : 0;
    const isMark = number > 0 && number <= sources.urls.length;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other key
      <Fragment key={at}>{isMark ? <Mark sources={sources} number={number} /> : plain(part)}</Fragment>
    );
  });
}

/** Adds a mark to a link to one of the sources, because the gateway's search cites sources by address. */
export function LinkMark({ href }: { href: string }) {
  const sources = useContext(SourcesOfText);
  const url = sources && safeLink(href);
  const number = sources && url ? sources.urls.indexOf(url) + 1 : 0;
  return sources && number > 0 ? <Mark sources={sources} number={number} /> : null;
}
