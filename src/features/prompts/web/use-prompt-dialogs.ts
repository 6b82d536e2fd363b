import { useEffect, useRef, useState } from 'react';
import { notifySignedOut, openSignIn, toast } from '#client/page-events.ts';
import { ProblemError } from '#client/problem-error.ts';
import type { Me } from '#features/accounts/contract.ts';
import { planLimits } from '#features/credits/contract.ts';
import { m } from '#messages';
import { type Prompt, promptTexts } from '../contract.ts';

export type DialogRequest =
  | { kind: 'use'; prompt: Prompt }
  | { kind: 'unlock'; prompt: Prompt }
  | { kind: 'edit'; prompt: Prompt | null }
  | { kind: 'report'; prompt: Prompt };

export const ownPrompts = '/tools/prompts?sort=mine';

/** Router state after deleting a prompt from its own page. */
export const afterDeletion = 'prompt-deleted';

export const fillInPath = ({ slug }: Pick<Prompt, 'slug'>) => `/tools/prompts/${slug}?use=1`;

const signInReasons: Record<
  DialogRequest['kind'],
  (request: DialogRequest) => { reason: string; next?: string }
> = {
  use: ({ prompt }) => ({ reason: promptTexts.use(), next: prompt ? fillInPath(prompt) : undefined }),
  unlock: ({ prompt }) => ({ reason: promptTexts.locked(), next: `/tools/prompts/${prompt?.slug}` }),
  edit: () => ({ reason: promptTexts.upload(), next: '/tools/prompts?upload=1' }),
  report: () => ({ reason: promptTexts.report() }),
};

/** The specification prescribes this wording. */
export const askToSignIn = (reason: string, next?: string) =>
  openSignIn({ reason: m.prompts_login_title({ reason }), ...(next ? { next } : {}) });

export function showRefusal(error: unknown, reason: string): void {
  if (error instanceof ProblemError && error.status === 401) {
    notifySignedOut();
    askToSignIn(reason);
    return;
  }
  const known = error instanceof ProblemError;
  toast({ text: known ? error.message : m.common_failed(), kind: 'danger' });
}

/** A guest's dialog opens after they sign in on this page. */
export function usePromptDialogs(me: Me | null, initial: DialogRequest | null) {
  const [open, setOpen] = useState<DialogRequest | null>(null);
  const pending = useRef<DialogRequest | null>(initial);
  const userId = me?.id ?? null;
  const unlimited = me !== null && planLimits[me.plan].unlimited;

  const openDialog = (request: DialogRequest) => {
    if (userId !== null) return setOpen(request);
    pending.current = request;
    const { reason, next } = signInReasons[request.kind](request);
    askToSignIn(reason, next);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the person signs in
  useEffect(() => {
    const request = pending.current;
    if (!request) return;
    if (userId === null) return request === initial ? openDialog(request) : undefined;
    pending.current = null;
    // Pro users need no offer to upgrade; the page reloads and shows the prompt unlocked.
    if (request.kind !== 'unlock' || !unlimited) setOpen(request);
  }, [userId]);
  return { open, openDialog, close: () => setOpen(null) };
}

export type OpenPromptDialog = (request: DialogRequest) => void;
