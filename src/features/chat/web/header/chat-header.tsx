import { PanelLeft } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { generalAssistant } from '../../contract.ts';
import { sidebarId } from '../sidebar/sidebar.tsx';
import { openAssistant } from '../state/assistants.ts';
import type { ChatState } from '../state/chat-state.ts';
import type { ChatControls } from '../state/controls.ts';
import { headActions } from './actions.ts';
import { ChatMenu } from './chat-menu.tsx';
import { TitleForm } from './title-form.tsx';
import { usePrint } from './use-print.ts';
import './header.css';

interface HeaderProps {
  state: ChatState;
  controls: ChatControls;
}

/** Renaming in place: which chat's title is a field, and where the focus goes back to. */
function useRenaming({ state, controls }: HeaderProps) {
  const [renaming, setRenaming] = useState<string | null>(null);
  const opener = useRef<Element | null>(null);
  const { id } = state.open;
  return {
    renaming: renaming === id,
    begin() {
      opener.current = document.activeElement;
      setRenaming(id);
    },
    done(title: string | null, byKey: boolean) {
      // The button that is to get the focus is disabled until then.
      flushSync(() => setRenaming(null));
      if (title !== null) void controls.rename(id, title);
      if (byKey && opener.current instanceof HTMLElement) opener.current.focus();
    },
  };
}

function Title({ state, title, hidden }: { state: ChatState; title: string; hidden: boolean }) {
  const assistant = openAssistant(state);
  const named = assistant && assistant.id !== generalAssistant && !state.missing;
  return (
    <div className={hidden ? 'visually-hidden' : 'chat-head-name'}>
      <h1 title={title}>{title}</h1>
      {named ? <p>{assistant.name}</p> : null}
    </div>
  );
}

/** The chat's title and what can be done with it. */
export function ChatHeader(props: HeaderProps) {
  const { state, controls } = props;
  const { id, stored } = state.open;
  const title = state.missing ? 'Not found' : state.open.title;
  const { renaming, begin, done } = useRenaming(props);
  const onPrint = usePrint(state, controls);
  const actions = headActions(state, controls, renaming ? null : begin);
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
      <Title state={state} title={title} hidden={renaming} />
      {renaming ? (
        <TitleForm
          key={id}
          className="input chat-title-input"
          label="Title of this chat"
          title={title}
          onDone={done}
        />
      ) : null}
      {actions.map(({ id: action, name, Icon, run, disabled, always }) => (
        <button
          key={action}
          type="button"
          className="btn btn-ghost chat-head-action"
          data-action={action}
          data-always={always ? '' : undefined}
          disabled={disabled}
          // The second half of a double click would stop what the first began.
          onClick={(event) => event.detail < 2 && run()}
        >
          <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
          {name}
        </button>
      ))}
      {actions.length > 0 ? (
        <ChatMenu chatId={id} stored={stored} actions={actions} controls={controls} onPrint={onPrint} />
      ) : null}
    </header>
  );
}
