import { lazy, Suspense } from 'react';
import type { ChatProps } from './state/chat-controls.ts';
import { liveMessage } from './state/chat-state.ts';

const dialogs = {
  remember: lazy(() => import('./remember-dialog.tsx')),
  project: lazy(() => import('./projects/project-dialog.tsx')),
  assistants: lazy(() => import('./assistants/assistants-dialog.tsx')),
  assistant: lazy(() => import('./assistants/assistant-dialog.tsx')),
  move: lazy(() => import('./projects/move-dialog.tsx')),
  search: lazy(() => import('./chat-search.tsx')),
  archive: lazy(() => import('./archive-dialog.tsx')),
  upgrade: lazy(() => import('./upgrade-dialog.tsx')),
  'fill-in': lazy(async () => ({ default: (await import('./composer/prompt-dialogs.tsx')).FillInPrompt })),
  'new-prompt': lazy(async () => ({ default: (await import('./composer/prompt-dialogs.tsx')).NewPrompt })),
  shortcuts: lazy(() => import('./shortcuts/shortcuts-dialog.tsx')),
};

export default function ChatDialogs({ state, controls }: ChatProps) {
  if (!state.dialog) return null;
  // Offer an upgrade only after the reply has ended, unless the person asked for it.
  if (state.dialog.kind === 'upgrade' && state.dialog.cause !== 'asked' && liveMessage(state)) return null;
  const Open = dialogs[state.dialog.kind];
  return (
    <Suspense>
      <Open state={state} controls={controls} />
    </Suspense>
  );
}
