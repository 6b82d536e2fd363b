import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';

interface ModalProps {
  title: string;
  className?: string;
  /** What has the focus first, instead of the title. */
  first?: RefObject<HTMLElement | null>;
  /** After it has closed and the focus is back where it was. */
  onClose: () => void;
  /** `close` ends the dialog as Escape does. */
  children: (close: () => void) => ReactNode;
}

/**
 * A dialog that opens as soon as it is rendered; Escape and a press beside it close it. The focus begins on the title,
 * where a key that was meant for the page does nothing (or on `first`), and goes back by itself.
 */
export function Modal({ title, className = '', first, onClose, children }: ModalProps) {
  const box = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => {
    if (!box.current?.open) box.current?.showModal();
    (first ?? heading).current?.focus();
  }, [first]);
  const close = () => box.current?.close();
  return (
    <dialog
      ref={box}
      className={`dialog ${className}`.trim()}
      aria-labelledby={id}
      closedby="any"
      onClose={onClose}
    >
      <div className="dialog-head">
        <h2 ref={heading} className="h3" id={id} tabIndex={-1}>
          {title}
        </h2>
        <button type="button" className="btn btn-ghost btn-icon" aria-label="Close" onClick={close}>
          <X size={16} strokeWidth={1.75} aria-hidden="true" />
        </button>
      </div>
      {children(close)}
    </dialog>
  );
}
