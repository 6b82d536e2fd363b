import { useState } from 'react';
import { flushSync } from 'react-dom';
import { m } from '#messages';
import { notifySignedOut, openSignIn, toast } from './page-events.ts';
import { ProblemError } from './problem-error.ts';

/** Returns the message of an error. Opens the sign-in dialog if the person was signed out meanwhile. */
export function errorText(error: unknown, fallback: string): string {
  if (!(error instanceof ProblemError)) return fallback;
  if (error.status === 401) {
    notifySignedOut();
    openSignIn({ reason: m.common_signed_out() });
  }
  return error.message;
}

/** Moves the focus to `id` if the focused control was removed; otherwise leaves it. */
export function restoreFocus(id: string): void {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body) document.getElementById(id)?.focus();
}

interface Change<T> {
  /** Compared with `busy`. */
  key: string;
  work: () => Promise<T>;
  /** The control that started the change may be removed by it. */
  apply: (result: T) => void;
  done?: string;
}

/** Runs one change at a time. `focusTo`: id of the element that receives the focus when the control is removed. */
export function useMutation(focusTo: string) {
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);

  async function change<T>({ key, work, apply, done }: Change<T>): Promise<boolean> {
    if (busy) return false;
    setBusy(key);
    setError(null);
    try {
      const result = await work();
      flushSync(() => {
        apply(result);
        setBusy(null);
      });
      restoreFocus(focusTo);
      if (done) toast({ text: done, kind: 'success' });
      return true;
    } catch (failure) {
      setError(errorText(failure, m.common_connection_lost()));
      setBusy(null);
      return false;
    }
  }

  return { busy, error, change, setError };
}

export type Mutation = ReturnType<typeof useMutation>;
