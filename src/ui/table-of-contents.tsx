import { m } from '#messages';

interface TableOfContentsProps {
  contents: Array<{ id: string; text: string }>;
  /** Classes of the list next to the text. */
  navClass: string;
  foldedClass?: string;
  /** Whether shell/enhance marks the current heading. */
  followed?: boolean;
}

/** For an English text; styled by `table-of-contents.css`. */
export function TableOfContents({ contents, navClass, foldedClass = '', followed }: TableOfContentsProps) {
  const links = (
    <ol lang="en" dir="ltr">
      {contents.map(({ id, text }) => (
        <li key={id}>
          <a href={`#${id}`}>{text}</a>
        </li>
      ))}
    </ol>
  );
  return (
    <>
      <details className={`page-contents-folded ${foldedClass}`}>
        <summary>{m.on_this_page()}</summary>
        {links}
      </details>
      <nav
        className={`page-contents ${navClass}`}
        aria-label={m.on_this_page()}
        data-contents={followed ? '' : undefined}
      >
        <p className="eyebrow" aria-hidden="true">
          {m.on_this_page()}
        </p>
        {links}
      </nav>
    </>
  );
}
