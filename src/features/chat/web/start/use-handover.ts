import { type RefObject, useEffect } from 'react';
import { local } from '../../../../client/storage.ts';
import { handoverPlace } from '../../handover/contract.ts';
import type { ComposerHandle } from '../composer/composer.tsx';
import type { ChatState } from '../state/chat-state.ts';
import { blank, handoverChat, keepDraft, readDraft, readPending } from '../state/kept-text.ts';

/**
 * Puts the text that another page has left into the composer of the chat that it is for, before what was typed there;
 * where that chat is gone, into the one that is begun in its place.
 */
export function useHandover({ me, open, missing }: ChatState, composer: RefObject<ComposerHandle | null>) {
  const { id, stored } = open;
  const begun = !stored && open.turns.length > 0;
  const reader = me?.id ?? null;
  useEffect(() => {
    if (begun || readPending(local)) return;
    const wanted = handoverChat(local);
    if (missing ? wanted === null : wanted !== (stored ? id : null)) return;
    const { text } = readDraft(local, handoverPlace, reader);
    if (text === '') return;
    keepDraft(local, handoverPlace, blank, reader);
    composer.current?.suggest(text);
  }, [id, stored, missing, begun, reader, composer]);
}
