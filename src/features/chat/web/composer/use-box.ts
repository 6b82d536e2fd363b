import { useMemo, useRef, useState } from 'react';
import { chatLimits } from '../../contract.ts';
import { isTouchOnly } from './touch.ts';

/** What the page shows of the text: only a change of it renders. */
export type Extent = 'blank' | 'some' | { tooLong: number };

/** UTF-16 units, as the server counts. */
function extentOf({ value }: HTMLTextAreaElement): Extent {
  if (value.length > chatLimits.messageLength) return { tooLong: value.length };
  return value.trim() === '' ? 'blank' : 'some';
}

/** What is typed after a slash that begins the text, on one line and with no other slash: prompts are looked for. */
const soughtIn = ({ value }: HTMLTextAreaElement) => /^\/([^/\n]{0,60})$/.exec(value)?.[1] ?? null;

/** Where `field-sizing` is unknown the box is grown by script. */
function grow(box: HTMLTextAreaElement) {
  if (CSS.supports('field-sizing', 'content')) return;
  box.style.height = 'auto';
  box.style.height = `${box.scrollHeight}px`;
}

/** The box for the text, which lives in the element itself. */
export function useBox() {
  const box = useRef<HTMLTextAreaElement>(null);
  const [extent, setExtent] = useState<Extent>('blank');
  const [sought, setSought] = useState<string | null>(null);
  /** The search was closed: it stays closed for as long as the text is one. */
  const closed = useRef(false);
  const verbs = useMemo(() => {
    const measure = () => {
      if (!box.current) return;
      grow(box.current);
      setExtent(extentOf(box.current));
      const found = soughtIn(box.current);
      if (found === null) closed.current = false;
      setSought(closed.current ? null : found);
    };
    return {
      measure,
      closeFinder() {
        closed.current = true;
        setSought(null);
      },
      text: () => box.current?.value ?? '',
      show(text: string) {
        if (box.current) box.current.value = text;
        measure();
      },
      /** Puts the caret into the box, but never leaves a dialog, nor raises the keyboard of a phone unless `asked`. */
      focus(asked = false) {
        if ((asked || !isTouchOnly()) && !document.querySelector('dialog[open]'))
          box.current?.focus({ preventScroll: true });
      },
    };
  }, []);
  return { box, extent, sought, ...verbs };
}
