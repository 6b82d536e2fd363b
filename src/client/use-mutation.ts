import { useState } from 'react';
import { flushSync } from 'react-dom';
import { m } from '#messages';
import { notifySignedOut, openSignIn, toast } from './page-events.ts';
import { ProblemError } from './problem-error.ts';

/** Opens the sign-in dialog for who was signed out meanwhile. */
export function errorText(error: unknown, fallback: string): string {
  if (!(error instanceof ProblemError)) return fallback;
  if (error.status === 401) {
    notifySignedOut();
    openSignIn({ reason: m.common_signed_out() });
  }
  return error.message;
}

/** Focus whose control went away goes on at `id`; one that is elsewhere stays. */
export function restoreFocus(id: string): void {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body) document.getElementById(id)?.focus();
}

interface Change<T> {
  /** Compared with `busy`. */
  which: string;
  work: () => Promise<T>;
  /** The control that began the change may go away with it. */
  apply: (answer: T) => void;
  done?: string;
}

/** One change at a time. `focusTo`: id that focus falls to when the control goes away. */
export function useMutation(focusTo: string) {
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);

  async function change<T>({ which, work, apply, done }: Change<T>): Promise<boolean> {
    if (busy) return false;
    setBusy(which);
    setError(null);
    try {
      const answer = await work();
      flushSync(() => {
        apply(answer);
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
