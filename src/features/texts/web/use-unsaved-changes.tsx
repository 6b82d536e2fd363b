import { type ReactNode, useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import type { SaveState } from './use-autosave.ts';

interface UnsavedText {
  saving: SaveState;
  /** @returns null if the text could not be saved. */
  save(): Promise<string | null>;
}

/** Delays leaving the page until the text is saved; if that fails, asks the person once. @returns the dialog. */
export function useUnsavedChanges({ saving, save }: UnsavedText): ReactNode {
  const unsaved = saving !== 'saved';
  const failed = useRef(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsaved && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!unsaved) return;
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', preventUnload);
    return () => window.removeEventListener('beforeunload', preventUnload);
  }, [unsaved]);
  const { state, proceed, reset } = blocker;
  useEffect(() => {
    if (state !== 'blocked') return;
    // Saved by now, perhaps by a retry while the dialog was open.
    if (!unsaved) {
      failed.current = false;
      return proceed?.();
    }
    if (failed.current) return;
    save().then((saved) => {
      failed.current = saved === null;
    });
  }, [state, unsaved, save, proceed]);
  if (state !== 'blocked' || saving !== 'failed') return null;
  const end = (shouldLeave: boolean) => {
    failed.current = false;
    if (shouldLeave) proceed?.();
    else reset?.();
  };
  return (
    <Dialog title={m.texts_leave_title()} onClose={() => end(false)}>
      {(close) => (
        <>
          <p className="dialog-body">{m.texts_leave_text()}</p>
          <div className="dialog-foot">
            <Button onClick={close}>{m.texts_leave_stay()}</Button>
            <Button variant="danger" onClick={() => end(true)}>
              {m.texts_leave_go()}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
