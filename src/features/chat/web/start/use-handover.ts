import { type RefObject, useEffect } from 'react';
import { local } from '../../../../client/storage.ts';
import { handoverPlace } from '../../handover/contract.ts';
import type { ComposerHandle } from '../composer/composer.tsx';
import type { ChatState } from '../state/chat-state.ts';
import { blank, keepDraft, readDraft, readPending } from '../state/kept-text.ts';

/** Puts the text that another page has left for the chat into the composer of a new chat, before what was typed there. */
export function useHandover({ me, open, missing }: ChatState, composer: RefObject<ComposerHandle | null>) {
  const { id } = open;
  const empty = !open.stored && !missing && open.turns.length === 0;
  const reader = me?.id ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another new chat may have been left another text
  useEffect(() => {
    if (!empty || readPending(local)) return;
    const { text } = readDraft(local, handoverPlace, reader);
    if (text === '') return;
    keepDraft(local, handoverPlace, blank, reader);
    composer.current?.suggest(text);
  }, [id, empty, reader, composer]);
}
