import { useLayoutEffect, useRef, useState } from 'react';
import { hasLongWord } from '../../../../ui/markdown/long-word.ts';
import { foldOf } from './folding.ts';

interface QuestionTextProps {
  text: string;
  /** It was asked for, so all of it is shown. */
  found: boolean;
}

/** The text of a question; a long one is folded until it is asked for. */
export function QuestionText({ text, found }: QuestionTextProps) {
  const fold = foldOf(text);
  const [open, setOpen] = useState(found);
  const [wasFound, setWasFound] = useState(found);
  const button = useRef<HTMLButtonElement>(null);
  if (found !== wasFound) {
    setWasFound(found);
    if (found) setOpen(true);
  }
  useLayoutEffect(() => {
    // Folding takes away what was above the button, and the button with it.
    if (!open && document.activeElement === button.current)
      button.current?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  return (
    <>
      <p
        className="bubble"
        data-unkerned={hasLongWord(text) ? '' : undefined}
        data-fold={open ? undefined : fold}
        // A find in page or a selection has moved into what is hidden.
        onScroll={fold && !open ? () => setOpen(true) : undefined}
      >
        {text}
      </p>
      {fold ? (
        <button
          ref={button}
          type="button"
          className="turn-button bubble-more"
          data-fold={fold}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Show less' : 'Show all'}
        </button>
      ) : null}
    </>
  );
}
