import { memo } from 'react';
import { Link } from 'react-router';
import type { Assistant } from '../../contract.ts';
import { openSignIn } from '../state/sending.ts';

interface ToolListProps {
  assistants: Assistant[];
  /** Id of the assistant of a chat that is not yet begun. */
  chosen: string | null;
  guest: boolean;
}

/** The tools, each of which begins a chat with its assistant. */
export const ToolList = memo(function ToolList({ assistants, chosen, guest }: ToolListProps) {
  const tools = assistants.filter(({ tool }) => tool !== null);
  if (tools.length === 0) return null;
  return (
    <nav className="chat-tools" aria-label="AI tools">
      <h2 className="eyebrow">AI Tools</h2>
      <ul>
        {tools.map(({ id, name, description }) => {
          const to = `/chat/new?assistant=${encodeURIComponent(id)}`;
          return (
            <li key={id}>
              <Link
                className="nav-item"
                to={to}
                title={description}
                aria-current={id === chosen ? 'page' : undefined}
                onClick={(event) => {
                  if (!guest) return;
                  event.preventDefault();
                  openSignIn(to, `Sign in to use ${name}.`);
                }}
              >
                {name}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
});
