import { type RefObject, useLayoutEffect, useRef } from 'react';
import { local } from '../../../../client/storage.ts';
import { type ChatState, liveTurn } from '../state/chat-state.ts';
import type { ChatControls } from '../state/controls.ts';
import { draftPlaces, isBlank, readDraft, readPending } from '../state/kept-text.ts';

/**
 * Goes on with the edit that a chat was left with, when it is opened again: its draft is kept at a question that the
 * page shows. Answers with the id of that question until the box has come to it, else with null.
 */
export function useKeptEdit(state: ChatState, controls: ChatControls): RefObject<string | null> {
  const { me, open, owner, editing } = state;
  const begun = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an edit that is left while the chat is open is not begun again
  useLayoutEffect(() => {
    if (!me || editing !== null || liveTurn(state)) return;
    const places = draftPlaces(local);
    // What waits for the sign-in is sent, not edited.
    const sent = readPending(local)?.replaces;
    const question = open.turns.findLast(
      ({ id, role }) =>
        role === 'user' && places.has(id) && id !== sent && !isBlank(readDraft(local, id, owner)),
    );
    if (!question) return;
    begun.current = question.id;
    controls.edit(question);
  }, [open.id]);
  return begun;
}
