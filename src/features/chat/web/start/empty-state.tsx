import { Link } from 'react-router';
import type { ChatState } from '../state/chat-state.ts';
import type { ChatControls } from '../state/controls.ts';

const suggestions = [
  'Explain how credit card interest is calculated, with a small example.',
  'Write a polite e-mail that asks for a deadline to be moved by a week.',
  'Compare three ways to store sessions in a web application, as a table.',
  'Plan a weekend in Lisbon for two people who like walking and food.',
];

interface EmptyStateProps {
  state: ChatState;
  controls: ChatControls;
  onPick: (text: string) => void;
}

/** What a chat without messages shows: a welcome and four prompts that fill the composer. */
export function EmptyState({ state, onPick }: EmptyStateProps) {
  const name = state.me?.name ?? null;
  return (
    <div className="chat-pane chat-empty">
      <h2 className="h2">{name ? `What can I do for you, ${name}?` : 'What can I do for you?'}</h2>
      <ul>
        {suggestions.map((text) => (
          <li key={text}>
            <button type="button" onClick={() => onPick(text)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** For the address of a chat that is somebody else's or no longer there. */
export function MissingChat() {
  return (
    <div className="chat-pane chat-empty">
      <h2 className="h2">This chat does not exist or is not yours.</h2>
      <p>
        <Link className="btn btn-secondary" to="/chat/new">
          New Chat
        </Link>
      </p>
    </div>
  );
}
