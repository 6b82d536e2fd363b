import type { Heading } from '../contract.ts';

function Links({ contents }: { contents: Heading[] }) {
  return (
    <ol>
      {contents.map(({ id, text }) => (
        <li key={id}>
          <a href={`#${id}`}>{text}</a>
        </li>
      ))}
    </ol>
  );
}

/** The contents of an article: beside the text where there is room, else folded above it. */
export function Contents({ contents }: { contents: Heading[] }) {
  return (
    <>
      <details className="article-contents-folded">
        <summary>On this page</summary>
        <Links contents={contents} />
      </details>
      <nav className="article-contents" aria-label="On this page" data-contents="">
        <p className="eyebrow" aria-hidden="true">
          On this page
        </p>
        <Links contents={contents} />
      </nav>
    </>
  );
}
