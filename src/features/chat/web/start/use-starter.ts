import { type RefObject, useEffect } from 'react';
import type { ComposerHandle } from '../composer/composer.tsx';
import { openAssistant } from '../state/assistants.ts';
import type { ChatState } from '../state/chat-state.ts';
import { keepDraft } from '../state/kept-text.ts';

/**
 * Puts the beginning of a message that an assistant suggests into the composer of a new chat, in place of another
 * assistant's that was not touched. What the person typed is left alone.
 */
export function useStarter(
  { assistants, open, missing }: ChatState,
  composer: RefObject<ComposerHandle | null>,
) {
  const { id, stored } = open;
  const starter = openAssistant({ assistants, open })?.starter ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: another new chat is to be begun anew
  useEffect(() => {
    if (stored || missing) return;
    const typed = composer.current?.text() ?? '';
    const untouched = typed === '' || assistants.some((each) => each.starter === typed);
    if (!untouched || typed === starter) return;
    if (starter !== '') composer.current?.suggest(starter);
    else {
      composer.current?.clearIf(typed);
      keepDraft(localStorage, null, '');
    }
  }, [id, stored, missing, starter, assistants, composer]);
}
