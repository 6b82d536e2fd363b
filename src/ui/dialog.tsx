import { X } from 'lucide-react';
import { type ReactNode, type RefObject, type SyntheticEvent, useEffect, useId, useRef } from 'react';
import { m } from '#messages';
import { Button } from './button.tsx';

interface DialogBoxProps {
  /** The heading's id is `ID-title`. */
  id: string;
  title: string;
  className?: string;
  children: ReactNode;
}

/**
 * Closed in the markup. A button with `command="show-modal"` and `commandfor` opens it without a script, and the
 * browser restores the focus.
 */
export function DialogBox({
  id,
  title,
  className = '',
  children,
  onClose,
  ...rest
}: DialogBoxProps & {
  ref?: RefObject<HTMLDialogElement | null>;
  onClose?: (event: SyntheticEvent) => void;
}) {
  return (
    <dialog
      id={id}
      className={`dialog ${className}`.trim()}
      aria-labelledby={`${id}-title`}
      closedby="any"
      onCancel={onClose}
      onClose={onClose}
      {...rest}
    >
      <form method="dialog" className="dialog-head" onSubmit={onClose}>
        <h2 className="h3" id={`${id}-title`} tabIndex={-1}>
          {title}
        </h2>
        <Button type="submit" variant="ghost" size="icon" aria-label={m.common_close()}>
          <X size={16} strokeWidth={1.75} aria-hidden="true" />
        </Button>
      </form>
      {children}
    </dialog>
  );
}

/**
 * Closes a dialog synchronously. The browser's own `close` event comes a task later, when another dialog may already be
 * open. `onEnd` handles `cancel` and `close`.
 */
export function useDialogEnd(box: RefObject<HTMLDialogElement | null>, onClose: () => void) {
  const ended = useRef(false);
  function close() {
    if (ended.current) return;
    ended.current = true;
    box.current?.close();
    onClose();
  }
  // Canceling a file chooser inside the dialog bubbles up to here.
  const onEnd = ({ type, target }: SyntheticEvent) => {
    if (type !== 'cancel' || target === box.current) close();
  };
  return { close, onEnd };
}

interface DialogProps {
  title: string;
  className?: string;
  initialFocus?: RefObject<HTMLElement | null>;
  onClose: () => void;
  children: (close: () => void) => ReactNode;
}

/** Focuses the title first, where keys pressed for the page have no effect. */
export function Dialog({ initialFocus, onClose, children, ...rest }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (!box.current?.open) box.current?.showModal();
    (initialFocus?.current ?? document.getElementById(`${id}-title`))?.focus();
  }, [initialFocus, id]);
  const { close, onEnd } = useDialogEnd(box, onClose);
  return (
    <DialogBox ref={box} id={id} onClose={onEnd} {...rest}>
      {children(close)}
    </DialogBox>
  );
}
