import { ArrowDownRight } from 'lucide-react';
import { newChatPath, openAssistant } from '../state/assistants.ts';
import type { ChatState } from '../state/chat-state.ts';
import type { ChatControls } from '../state/controls.ts';
import { openSignIn } from '../state/sending.ts';
import { AssistantChoice } from './assistant-choice.tsx';
import { ToolList } from './tool-list.tsx';
import './start.css';

interface EmptyStateProps {
  state: ChatState;
  controls: ChatControls;
  onPick: (text: string) => void;
}

function Prompts({ state, onPick }: Pick<EmptyStateProps, 'state' | 'onPick'>) {
  const prompts = openAssistant(state)?.prompts ?? [];
  if (prompts.length === 0) return null;
  const pick = (text: string) => {
    onPick(text);
    if (!state.me) openSignIn(newChatPath(state.open.assistant), 'Your message is kept. Sign in to send it.');
  };
  return (
    <section aria-labelledby="chat-prompts">
      <h3 className="eyebrow" id="chat-prompts">
        Begin with
      </h3>
      <ul className="start-list">
        {prompts.map((text) => (
          <li key={text}>
            <button type="button" className="start-prompt" onClick={() => pick(text)}>
              <span>{text}</span>
              <ArrowDownRight size={16} strokeWidth={1.75} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The name of a person; not what stands for one, the beginning of their mail address. */
function greetedName(me: ChatState['me']): string | null {
  if (!me || me.name === me.email || me.name === me.email.slice(0, me.email.lastIndexOf('@'))) return null;
  return me.name;
}

/** What a chat without messages shows: a welcome, who answers, prompts that fill the composer, and the tools. */
export function EmptyState({ state, controls, onPick }: EmptyStateProps) {
  const name = greetedName(state.me);
  return (
    <div className="chat-pane start">
      <div className="start-inner">
        <header className="start-head">
          <h2 className="h2">{name ? `What can I do for you, ${name}?` : 'What can I do for you?'}</h2>
          <AssistantChoice state={state} />
        </header>
        <Prompts state={state} onPick={onPick} />
        <ToolList state={state} />
        <p className="start-foot">
          <button
            type="button"
            className="btn btn-ghost"
            onClick={() => controls.show({ kind: 'shortcuts' })}
          >
            Keyboard shortcuts
          </button>
        </p>
      </div>
    </div>
  );
}
