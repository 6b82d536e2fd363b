import { type RefObject, useEffect } from 'react';
import { local } from '../../../../client/storage.ts';
import type { ComposerHandle } from '../composer/composer.tsx';
import { openAssistant } from '../state/assistants.ts';
import type { ChatState } from '../state/chat-state.ts';
import { readPending } from '../state/kept-text.ts';

/**
 * Puts the beginning of a message that an assistant suggests into the composer of a new chat, in place of another
 * assistant's that was not touched. What the person typed, or has sent and waits for the sign-in, is left alone.
 */
export function useStarter(
  { assistants, open, missing }: ChatState,
  composer: RefObject<ComposerHandle | null>,
) {
  const { id } = open;
  const empty = !open.stored && !missing && open.turns.length === 0;
  const starter = openAssistant({ assistants, open })?.starter ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: another new chat is to be begun anew
  useEffect(() => {
    if (!empty || readPending(local)) return;
    composer.current?.swap(['', ...assistants.map((each) => each.starter)], starter);
  }, [id, empty, starter, assistants, composer]);
}
