import { type RefObject, useEffect } from 'react';

interface EditBarProps {
  box: RefObject<HTMLTextAreaElement | null>;
  onCancel: () => void;
}

/** Says that the box holds a message that was sent before. Esc gives the edit up, before it stops a reply. */
export function EditBar({ box, onCancel }: EditBarProps) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing) return;
      const target = event.target instanceof Element ? event.target : null;
      const other = target !== box.current && target?.closest('input, textarea, select') != null;
      // The list of prompts closes first.
      if (box.current?.hasAttribute('aria-controls')) return;
      if (other || document.querySelector('dialog[open], :popover-open:not(#toasts)')) return;
      event.preventDefault();
      onCancel();
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [box, onCancel]);
  return (
    <div className="composer-editing">
      <p role="status">Editing your message</p>
      <button type="button" className="btn btn-ghost" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}
