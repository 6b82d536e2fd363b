import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import { m } from '#messages';
import { Button } from './button.tsx';

interface DialogBoxProps {
  /** Of the dialog; its heading is `ID-title`. */
  id: string;
  title: string;
  className?: string;
  children: ReactNode;
}

/**
 * A dialog in the markup of a page, closed: a button with `command="show-modal"` and `commandfor` opens it without a
 * script. Escape, Back of a phone, Close and a press beside it close it, and the focus goes back by itself.
 */
export function DialogBox({
  id,
  title,
  className = '',
  children,
  ...rest
}: DialogBoxProps & { ref?: RefObject<HTMLDialogElement | null>; onClose?: () => void }) {
  return (
    <dialog
      id={id}
      className={`dialog ${className}`.trim()}
      aria-labelledby={`${id}-title`}
      closedby="any"
      {...rest}
    >
      <form method="dialog" className="dialog-head">
        <h2 className="h3" id={`${id}-title`} tabIndex={-1}>
          {title}
        </h2>
        <Button type="submit" look="ghost" size="icon" aria-label={m.common_close()}>
          <X size={16} strokeWidth={1.75} aria-hidden="true" />
        </Button>
      </form>
      {children}
    </dialog>
  );
}

interface DialogProps {
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
 * A dialog that opens as soon as React renders it. The focus begins on the title, where a key that was meant for the
 * page does nothing (or on `first`).
 */
export function Dialog({ first, children, ...rest }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (!box.current?.open) box.current?.showModal();
    (first?.current ?? document.getElementById(`${id}-title`))?.focus();
  }, [first, id]);
  return (
    <DialogBox ref={box} id={id} {...rest}>
      {children(() => box.current?.close())}
    </DialogBox>
  );
}
