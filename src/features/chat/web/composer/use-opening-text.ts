import { type RefObject, useEffect } from 'react';
import { takeTextFromUrl } from '#client/form-draft.ts';
import { local } from '#client/storage.ts';
import { prefillDraftKey } from '../../prefill.ts';
import { type ChatState, openAssistant } from '../state/chat-state.ts';
import { emptyDraft, prefillChatId, readDraft, readPending, saveDraft } from '../state/drafts.ts';
import type { ComposerHandle } from './composer.tsx';

/** Inserts a text from another page before the draft; if its chat is gone, into the new chat that is shown instead. */
export function usePrefill({ me, open, missing }: ChatState, composer: RefObject<ComposerHandle | null>) {
  const { id, stored } = open;
  const hasStarted = !stored && open.messages.length > 0;
  const reader = me?.id ?? null;
  useEffect(() => {
    if (hasStarted || readPending(local)) return;
    const chatId = prefillChatId(local);
    const sent = stored ? null : takeTextFromUrl();
    if (sent) composer.current?.suggest(sent);
    if (missing ? chatId === null : chatId !== (stored ? id : null)) return;
    const { text } = readDraft(local, prefillDraftKey, reader);
    if (text === '') return;
    saveDraft(local, prefillDraftKey, emptyDraft, reader);
    composer.current?.suggest(text);
  }, [id, stored, missing, hasStarted, reader, composer]);
}

/**
 * Replaces an untouched starter of another assistant. Keeps what the person typed, and a message that waits for the
 * sign-in.
 */
export function useSuggestedOpening(
  { assistants, open, missing }: ChatState,
  composer: RefObject<ComposerHandle | null>,
) {
  const { id } = open;
  const empty = !open.stored && !missing && open.messages.length === 0;
  const starter = openAssistant({ assistants, open })?.starter ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new chat gets its starter
  useEffect(() => {
    if (!empty || readPending(local)) return;
    composer.current?.swap(['', ...assistants.map((each) => each.starter)], starter);
  }, [id, empty, starter, assistants, composer]);
}
