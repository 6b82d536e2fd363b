import { PanelLeft } from 'lucide-react';
import { sidebarId } from '../sidebar/sidebar.tsx';
import { type ChatState, liveTurn } from '../state/chat-state.ts';
import type { ChatControls } from '../state/controls.ts';
import { waysOn } from '../turns/marks.ts';

/** The chat's title and what can be done with it. */
export function ChatHeader({ state, controls }: { state: ChatState; controls: ChatControls }) {
  const { title, turns } = state.open;
  const live = liveTurn(state);
  const last = turns.at(-1);
  return (
    <header className="chat-head">
      <button
        type="button"
        className="btn btn-ghost btn-icon chat-open"
        popoverTarget={sidebarId}
        aria-label="Chats"
      >
        <PanelLeft size={20} strokeWidth={1.75} aria-hidden="true" />
      </button>
      <h1>{title}</h1>
      {live ? (
        <button type="button" className="btn btn-secondary" disabled={live.stopping} onClick={controls.stop}>
          Stop
        </button>
      ) : null}
      {!live && last?.role === 'assistant' && !last.cutOff ? (
        <button type="button" className="btn btn-ghost" onClick={() => controls.again(last)}>
          {waysOn(last).again?.label}
        </button>
      ) : null}
    </header>
  );
}
