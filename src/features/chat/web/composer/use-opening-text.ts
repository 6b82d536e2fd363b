import { type RefObject, useEffect } from 'react';
import { takeSentText } from '#client/form-draft.ts';
import { local } from '#client/storage.ts';
import { prefillDraftKey } from '../../prefill.ts';
import { type ChatState, openAssistant } from '../state/chat-state.ts';
import { emptyDraft, prefillChatId, readDraft, readPending, saveDraft } from '../state/drafts.ts';
import type { ComposerHandle } from './composer.tsx';

/** The text of another page stands before what was typed; where its chat is gone, in the one begun in its place. */
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
    saveDraft(local, prefillDraftKey, emptyDraft, reader);
    composer.current?.suggest(text);
  }, [id, stored, missing, begun, reader, composer]);
}

/**
 * In place of another assistant's starter that was not touched; what the person typed, or sent to wait for the sign-
 * in, stays.
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
