import { memo, useSyncExternalStore } from 'react';
import { AssistantLink } from '../start/assistant-link.tsx';
import { wayTo } from '../state/assistants.ts';
import type { ChatState } from '../state/chat-state.ts';
import type { GoTo } from './drawer.ts';

/** Where the drawer is so low that the tools would leave no room for the chats. */
const low = '(height < 40rem) and (width < 60rem)';
const watchLow = (changed: () => void) => {
  const query = matchMedia(low);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
};
const isLow = () => matchMedia(low).matches;

interface ToolListProps extends Pick<ChatState, 'me' | 'assistants' | 'toolPages'> {
  /** Id of the assistant of a chat that is not yet begun. */
  chosen: string | null;
  onGo: GoTo;
}

/** The tools, each of which leads to its page or begins a chat with its assistant; folded in a low drawer. */
export const ToolList = memo(function ToolList({ me, assistants, toolPages, chosen, onGo }: ToolListProps) {
  const folded = useSyncExternalStore(watchLow, isLow, () => false);
  const tools = assistants.filter(({ tool }) => tool !== null);
  if (tools.length === 0) return null;
  const heading = <h2 className="eyebrow">AI Tools</h2>;
  const list = (
    <ul>
      {tools.map((assistant) => {
        const { name, description, isPage } = wayTo(assistant, toolPages);
        return (
          <li key={assistant.id}>
            <AssistantLink
              className="nav-item"
              assistant={assistant}
              title={description}
              state={{ me, toolPages }}
              current={!isPage && assistant.id === chosen}
              onGo={onGo}
            >
              {name}
            </AssistantLink>
          </li>
        );
      })}
    </ul>
  );
  return (
    <nav className="chat-tools" aria-label="AI tools">
      {folded ? (
        <details>
          <summary>{heading}</summary>
          {list}
        </details>
      ) : (
        <>
          {heading}
          {list}
        </>
      )}
    </nav>
  );
});
