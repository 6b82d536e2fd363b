import { lazy, Suspense } from 'react';
import { type ChatState, liveTurn } from './state/chat-state.ts';
import type { ChatControls } from './state/controls.ts';

/** What each dialog of the page gets; it closes by `controls.show(null)`. */
export interface DialogProps {
  state: ChatState;
  controls: ChatControls;
}

const dialogs = {
  search: lazy(() => import('./search/search-dialog.tsx')),
  upgrade: lazy(() => import('./upgrade/upgrade-dialog.tsx')),
  shortcuts: lazy(() => import('./shortcuts/shortcuts-dialog.tsx')),
};

/** The dialog that is open; its code comes when it is first wanted. */
export function Dialogs({ state, controls }: DialogProps) {
  if (!state.dialog) return null;
  // An upgrade is offered when the reply has ended, unless it was asked for.
  if (state.dialog.kind === 'upgrade' && state.dialog.cause !== 'asked' && liveTurn(state)) return null;
  const Open = dialogs[state.dialog.kind];
  return (
    <Suspense>
      <Open state={state} controls={controls} />
    </Suspense>
  );
}
