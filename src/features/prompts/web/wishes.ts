import { useEffect, useRef, useState } from 'react';
import { openSignIn, tellSignedOut, toast } from '../../../client/page-events.ts';
import { ProblemError } from '../../../client/problem-error.ts';
import type { Me } from '../../accounts/contract.ts';
import { planLimits } from '../../credits/contract.ts';
import { type Prompt, promptTexts } from '../contract.ts';

/** What a press asks for: a dialog that it opens. */
export type Wish =
  | { kind: 'use'; prompt: Prompt }
  | { kind: 'unlock'; prompt: Prompt }
  | { kind: 'edit'; prompt: Prompt | null }
  | { kind: 'report'; prompt: Prompt };

export const ownPrompts = '/tools/prompts?sort=mine';

/** State of a move to the library from the page of a prompt that was deleted. */
export const afterDeletion = 'prompt-deleted';

export const addressToUse = ({ slug }: Pick<Prompt, 'slug'>) => `/tools/prompts/${slug}?use=1`;

const asks: Record<Wish['kind'], (wish: Wish) => { reason: string; next?: string }> = {
  use: ({ prompt }) => ({ reason: promptTexts.use, next: prompt ? addressToUse(prompt) : undefined }),
  unlock: ({ prompt }) => ({ reason: promptTexts.locked, next: `/tools/prompts/${prompt?.slug}` }),
  edit: () => ({ reason: promptTexts.upload, next: '/tools/prompts?upload=1' }),
  report: () => ({ reason: promptTexts.report }),
};

/** The sign-in dialog, under the specification's words. */
export const askToSignIn = (reason: string, next?: string) =>
  openSignIn({ reason: `${promptTexts.loginRequired}. ${reason}`, ...(next ? { next } : {}) });

/** Tells of a refused request: the sign-in dialog for a session that is over, else a toast in the server's words. */
export function tellRefusal(error: unknown, reason: string): void {
  if (error instanceof ProblemError && error.status === 401) {
    tellSignedOut();
    askToSignIn(reason);
    return;
  }
  const known = error instanceof ProblemError;
  toast({ text: known ? error.message : 'Something went wrong. Please try again.', kind: 'danger' });
}

/**
 * The dialog that is open. A guest's wish opens the sign-in dialog and is granted once they have signed in on this page.
 */
export function useWishes(me: Me | null, first: Wish | null) {
  const [open, setOpen] = useState<Wish | null>(null);
  const waiting = useRef<Wish | null>(first);
  const person = me?.id ?? null;
  const unlimited = me !== null && planLimits[me.plan].unlimited;

  const ask = (wish: Wish) => {
    if (person !== null) return setOpen(wish);
    waiting.current = wish;
    const { reason, next } = asks[wish.kind](wish);
    askToSignIn(reason, next);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a sign-in grants what waits for it
  useEffect(() => {
    const wish = waiting.current;
    if (!wish) return;
    if (person === null) return wish === first ? ask(wish) : undefined;
    waiting.current = null;
    // Pro needs no offer of Pro, and a locked prompt is loaded anew for them.
    if (wish.kind !== 'unlock' || !unlimited) setOpen(wish);
  }, [person]);
  return { open, ask, close: () => setOpen(null) };
}

/** What the parts of a page ask for. */
export type Ask = (wish: Wish) => void;
