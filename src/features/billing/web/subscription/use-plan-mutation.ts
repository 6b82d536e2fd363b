import { useState } from 'react';
import { flushSync } from 'react-dom';
import { notifySignedOut, openSignIn, toast } from '#client/page-events.ts';
import { ProblemError } from '#client/problem-error.ts';
import { m } from '#messages';

export function errorText(error: unknown, fallback: string): string {
  if (!(error instanceof ProblemError)) return fallback;
  if (error.status === 401) {
    notifySignedOut();
    openSignIn({ reason: m.common_signed_out() });
  }
  return error.message;
}

export function restoreFocus(id: string): void {
  const { activeElement, body } = document;
  if (activeElement === null || activeElement === body) document.getElementById(id)?.focus();
}

interface PlanMutationState<T> {
  which: string;
  work: () => Promise<T>;
  apply: (answer: T) => void;
  done?: string;
}

/** One change at a time. `focusTo`: id that focus falls to when the control goes away. */
export function usePlanMutation(focusTo: string) {
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);

  async function change<T>({ which, work, apply, done }: PlanMutationState<T>): Promise<boolean> {
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

  return { busy, error, change, clear: () => setError(null) };
}

export type PlanMutation = ReturnType<typeof usePlanMutation>;
