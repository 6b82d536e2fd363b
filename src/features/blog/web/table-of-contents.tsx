import { m } from '#messages';
import type { Heading } from '../contract.ts';

function Links({ contents }: { contents: Heading[] }) {
  return (
    <ol lang="en" dir="ltr">
      {contents.map(({ id, text }) => (
        <li key={id}>
          <a href={`#${id}`}>{text}</a>
        </li>
      ))}
    </ol>
  );
}

/** Beside the text where there is room, else folded above it. */
export function TableOfContents({ contents }: { contents: Heading[] }) {
  return (
    <>
      <details className="article-contents-folded">
        <summary>{m.on_this_page()}</summary>
        <Links contents={contents} />
      </details>
      <nav className="article-contents" aria-label={m.on_this_page()} data-contents="">
        <p className="eyebrow" aria-hidden="true">
          {m.on_this_page()}
        </p>
        <Links contents={contents} />
      </nav>
    </>
  );
}
