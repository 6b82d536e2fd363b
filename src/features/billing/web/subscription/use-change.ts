import { useState } from 'react';
import { flushSync } from 'react-dom';
import { openSignIn, tellSignedOut, toast } from '../../../../client/page-events.ts';
import { ProblemError } from '../../../../client/problem-error.ts';

/** What a person reads of an error; a lost connection has no words of its own. */
export function textOf(error: unknown, fallback: string): string {
  if (!(error instanceof ProblemError)) return fallback;
  if (error.status === 401) {
    tellSignedOut();
    openSignIn({ reason: 'You were signed out here. Sign in to go on.' });
  }
  return error.message;
}

const OFFLINE = 'The connection was lost. Please check it and try again.';

/** Focus whose control went away goes on at `id`; one that is elsewhere stays. */
export function catchFocus(id: string): void {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body) document.getElementById(id)?.focus();
}

interface Change<T> {
  /** What is changed, for `busy`. */
  which: string;
  work: () => Promise<T>;
  /** Shows the change; the control that began it may go away. */
  apply: (answer: T) => void;
  /** Told when it is done. */
  done?: string;
}

/** Changes of a plan, one at a time: which is being made, and what went wrong. `focusTo` is the id that focus falls to. */
export function useChange(focusTo: string) {
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
      catchFocus(focusTo);
      if (done) toast({ text: done, kind: 'success' });
      return true;
    } catch (failure) {
      setError(textOf(failure, OFFLINE));
      setBusy(null);
      return false;
    }
  }

  return { busy, error, change, clear: () => setError(null) };
}

export type Changing = ReturnType<typeof useChange>;
