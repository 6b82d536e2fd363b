import { type RefObject, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { openSignIn, toggleChatSidebar } from '#client/page-events.ts';
import { m } from '#messages';
import type { ComposerHandle } from '../composer/composer.tsx';
import type { ChatControls, ChatProps } from '../state/chat-controls.ts';
import { type ChatState, liveMessage } from '../state/chat-state.ts';
import { findShortcut, isApple, type ShortcutName, shortcutsOn } from './shortcuts.ts';

const isInOtherField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  !target.matches('.composer-input') &&
  (target.isContentEditable || target.matches('input, textarea, select'));

interface Page extends ChatProps {
  composer: RefObject<ComposerHandle | null>;
  navigate: ReturnType<typeof useNavigate>;
}

function run(name: ShortcutName, { state, controls, composer, navigate }: Page): boolean {
  const askSignIn = (reason: string) => openSignIn({ next: '/chat/new', reason });
  switch (name) {
    case 'stop':
      // The browser closes an open popover first.
      if (!liveMessage(state) || document.querySelector(':popover-open:not(#toasts)')) return false;
      controls.stop();
      return true;
    case 'new':
      if (state.me) void navigate('/chat/new');
      else askSignIn(m.chat_sign_in_to_start());
      return true;
    case 'search':
      if (state.me) controls.show({ kind: 'search' });
      else askSignIn(m.chat_sign_in_to_search());
      return true;
    case 'help':
      controls.show({ kind: 'shortcuts' });
      return true;
    case 'focus':
      composer.current?.focus();
      return true;
    case 'sidebar':
      toggleChatSidebar();
      return true;
    case 'code':
      void import('./last-code-block.ts').then((code) => code.copyLastCode(state.open.messages));
      return true;
  }
}

/** Ignores keys in other fields than the composer, while an input method composes, and while a dialog is open. */
export function useShortcuts(
  state: ChatState,
  controls: ChatControls,
  composer: RefObject<ComposerHandle | null>,
) {
  const navigate = useNavigate();
  const page = useRef<Page>({ state, controls, composer, navigate });
  page.current = { state, controls, composer, navigate };
  useEffect(() => {
    const apple = isApple();
    const onKey = (event: KeyboardEvent) => {
      const name = findShortcut(event, apple);
      if (name === undefined || event.defaultPrevented || event.repeat) return;
      if (event.isComposing || isInOtherField(event.target) || !shortcutsOn()) return;
      if (document.querySelector('dialog[open]')) return;
      if (run(name, page.current)) event.preventDefault();
    };
    // On the window, so that handlers of the focused element run first.
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
