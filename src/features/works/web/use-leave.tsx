import { type ReactNode, useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { Modal } from '../../../ui/modal.tsx';
import type { SaveState } from './use-saving.ts';

interface Unsaved {
  saving: SaveState;
  /** Saves now. @returns null when it could not be. */
  save(): Promise<string | null>;
}

/**
 * Whoever leaves a text that is not saved yet waits for that; where it cannot be saved they are asked, once.
 * @returns the question, while there is one.
 */
export function useLeave({ saving, save }: Unsaved): ReactNode {
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
    <Modal title="Leave without saving?" onClose={() => end(false)}>
      {(close) => (
        <>
          <p className="dialog-body">Your last changes could not be saved.</p>
          <div className="dialog-foot">
            <button type="button" className="btn btn-secondary" onClick={close}>
              Stay
            </button>
            <button type="button" className="btn btn-danger" onClick={() => end(true)}>
              Leave
            </button>
          </div>
        </>
      )}
    </Modal>
  );
}
