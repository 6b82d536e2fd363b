import { type RefObject, useEffect } from 'react';
import { takeSentText } from '#client/form-draft.ts';
import { local } from '#client/storage.ts';
import { prefillDraftKey } from '../../prefill.ts';
import type { ComposerHandle } from '../composer/composer.tsx';
import { type ChatState, openAssistant } from '../state/chat-state.ts';
import { blank, prefillChatId, readDraft, readPending, saveDraft } from '../state/drafts.ts';

/**
 * Puts the text that another page has left into the composer of the chat that it is for, before what was typed there;
 * where that chat is gone, into the one that is begun in its place.
 */
export function usePrefill({ me, open, missing }: ChatState, composer: RefObject<ComposerHandle | null>) {
  const { id, stored } = open;
  const begun = !stored && open.messages.length > 0;
  const reader = me?.id ?? null;
  useEffect(() => {
    if (begun || readPending(local)) return;
    const wanted = prefillChatId(local);
    const sent = stored ? null : takeSentText();
    if (sent) composer.current?.suggest(sent);
    if (missing ? wanted === null : wanted !== (stored ? id : null)) return;
    const { text } = readDraft(local, prefillDraftKey, reader);
    if (text === '') return;
    saveDraft(local, prefillDraftKey, blank, reader);
    composer.current?.suggest(text);
  }, [id, stored, missing, begun, reader, composer]);
}

/**
 * Puts the beginning of a message that an assistant suggests into the composer of a new chat, in place of another
 * assistant's that was not touched. What the person typed, or has sent and waits for the sign-in, is left alone.
 */
export function useSuggestedOpening(
  { assistants, open, missing }: ChatState,
  composer: RefObject<ComposerHandle | null>,
) {
  const { id } = open;
  const empty = !open.stored && !missing && open.messages.length === 0;
  const starter = openAssistant({ assistants, open })?.starter ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: another new chat is to be begun anew
  useEffect(() => {
    if (!empty || readPending(local)) return;
    composer.current?.swap(['', ...assistants.map((each) => each.starter)], starter);
  }, [id, empty, starter, assistants, composer]);
}
