import { memo } from 'react';
import { AssistantLink } from '../start/assistant-link.tsx';
import type { ChatState } from '../state/chat-state.ts';
import type { GoTo } from './drawer.ts';

interface ToolListProps extends Pick<ChatState, 'me' | 'assistants' | 'toolPages'> {
  /** Id of the assistant of a chat that is not yet begun. */
  chosen: string | null;
  onGo: GoTo;
}

/** The tools, each of which leads to its page or begins a chat with its assistant. */
export const ToolList = memo(function ToolList({ me, assistants, toolPages, chosen, onGo }: ToolListProps) {
  const tools = assistants.filter(({ tool }) => tool !== null);
  if (tools.length === 0) return null;
  return (
    <nav className="chat-tools" aria-label="AI tools">
      <h2 className="eyebrow">AI Tools</h2>
      <ul>
        {tools.map((assistant) => (
          <li key={assistant.id}>
            <AssistantLink
              className="nav-item"
              assistant={assistant}
              title={assistant.description}
              state={{ me, toolPages }}
              current={assistant.id === chosen}
              onGo={onGo}
            >
              {assistant.name}
            </AssistantLink>
          </li>
        ))}
      </ul>
    </nav>
  );
});
