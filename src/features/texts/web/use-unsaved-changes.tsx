import { type ReactNode, useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import type { SaveState } from './use-autosave.ts';

interface UnsavedText {
  saving: SaveState;
  /** @returns null when it could not be saved. */
  save(): Promise<string | null>;
}

/** Leaving waits for the save; where that fails the person is asked, once. @returns the question. */
export function useUnsavedChanges({ saving, save }: UnsavedText): ReactNode {
  const unsaved = saving !== 'saved';
  const failed = useRef(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsaved && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [unsaved]);
  const { state, proceed, reset } = blocker;
  useEffect(() => {
    if (state !== 'blocked') return;
    // Saved by now, maybe by an attempt of its own while the question stood.
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
  const end = (leave: boolean) => {
    failed.current = false;
    if (leave) proceed?.();
    else reset?.();
  };
  return (
    <Dialog title={m.texts_leave_title()} onClose={() => end(false)}>
      {(close) => (
        <>
          <p className="dialog-body">{m.texts_leave_text()}</p>
          <div className="dialog-foot">
            <Button onClick={close}>{m.texts_leave_stay()}</Button>
            <Button look="danger" onClick={() => end(true)}>
              {m.texts_leave_go()}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
