import { type RefObject, useEffect } from 'react';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import type { ChatProps } from '../state/chat-controls.ts';

interface EditBarProps extends ChatProps {
  box: RefObject<HTMLTextAreaElement | null>;
  onCancel: () => void;
}

/** Editing a question whose reply was an image requests an image again. */
function useDrawAgain({ state: { editing, open }, controls }: ChatProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: known when the edit starts
  useEffect(() => {
    const at = open.messages.findIndex(({ key }) => key === editing);
    const size = open.messages[at + 1]?.images?.size;
    if (size) controls.draw(size);
  }, [editing]);
}

/** Esc cancels the edit before it stops a reply. */
export default function EditBar({ box, onCancel, ...props }: EditBarProps) {
  useDrawAgain(props);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing) return;
      const target = event.target instanceof Element ? event.target : null;
      const other = target !== box.current && target?.closest('input, textarea, select') != null;
      // Esc first closes the list of prompts.
      if (box.current?.hasAttribute('aria-controls')) return;
      if (other || document.querySelector('dialog[open], :popover-open:not(#toasts)')) return;
      event.preventDefault();
      onCancel();
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [box, onCancel]);
  return (
    <div className="flex items-center justify-between gap-3 ps-4 pe-[7px] pb-0.5 text-sm text-fg-muted">
      <p role="status">{m.chat_editing()}</p>
      <Button variant="ghost" onClick={onCancel}>
        {m.common_cancel()}
      </Button>
    </div>
  );
}
