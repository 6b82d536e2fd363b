import { TextQuote } from 'lucide-react';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';

interface Selected {
  passage: string;
  /** In coordinates of the window. */
  end: DOMRect;
}

function containingReply(node: Node): Element | null {
  const element = node instanceof Element ? node : node.parentElement;
  return element?.closest('.chat-reply .md') ?? null;
}

function selectedInReply(pane: HTMLElement | null): Selected | null {
  const selection = getSelection();
  if (!selection || selection.isCollapsed) return null;
  const passage = selection.toString().trim();
  const range = selection.getRangeAt(0);
  const reply = containingReply(range.commonAncestorContainer);
  const end = [...range.getClientRects()].at(-1);
  return passage !== '' && reply && end && pane?.contains(reply) ? { passage, end } : null;
}

/** Returns null while a pointer is pressed or the page scrolls. */
function useSelectedInReply(pane: RefObject<HTMLElement | null>) {
  const [selected, setSelected] = useState<Selected | null>(null);
  useEffect(() => {
    let pressed = false;
    const update = () => setSelected(pressed ? null : selectedInReply(pane.current));
    const press = (now: boolean) => (event: Event) => {
      if (event.target instanceof Element && event.target.closest('[data-quote]')) return;
      pressed = now;
      update();
    };
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener('selectionchange', update, { signal });
    document.addEventListener('pointerdown', press(true), { signal });
    for (const end of ['pointerup', 'pointercancel'])
      document.addEventListener(end, press(false), { signal });
    document.addEventListener('scroll', () => setSelected(null), { signal, capture: true });
    return () => listening.abort();
  }, [pane]);
  return selected;
}

/** Pixels between the passage, the button and the edges of the pane. */
const gap = 6;

export function QuoteButton({
  pane,
  onQuote,
}: {
  pane: RefObject<HTMLElement | null>;
  onQuote: (passage: string) => void;
}) {
  const selected = useSelectedInReply(pane);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (!selected || !button.current || !pane.current) return;
    const box = pane.current.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height, style } = button.current;
    const below = selected.end.bottom - box.top + gap;
    const above = selected.end.top - box.top - gap - height;
    style.top = `${below + height + gap <= box.height ? below : above}px`;
    style.left = `${Math.max(gap, Math.min(selected.end.right - box.left, box.width - gap) - width)}px`;
  }, [selected, pane]);
  if (!selected) return null;
  return (
    <Button
      ref={button}
      className="absolute z-1 bg-raised shadow-(--shadow-2) print:hidden"
      data-quote=""
      // Keeps the selection.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => {
        onQuote(selected.passage);
        getSelection()?.removeAllRanges();
      }}
    >
      <TextQuote size={16} strokeWidth={1.75} aria-hidden="true" />
      {m.chat_quote()}
    </Button>
  );
}
