import { generalAssistant } from '../../contract.ts';
import { openAssistant } from '../state/assistants.ts';
import type { ChatState } from '../state/chat-state.ts';
import { AssistantLink } from './assistant-link.tsx';

/** Who answers: the assistants without a tool to choose from, and the chosen one with what it is for. */
export function AssistantChoice({ state }: { state: ChatState }) {
  const chosen = openAssistant(state);
  const choices = state.assistants.filter((each) => each.tool === null || each === chosen);
  if (choices.length < 2) return null;
  return (
    <nav className="start-choice" aria-label="Assistant">
      <ul>
        {choices.map((each) => (
          <li key={each.id}>
            <AssistantLink assistant={each} state={state} current={each === chosen}>
              <span>{each.name}</span>
            </AssistantLink>
          </li>
        ))}
      </ul>
      {chosen && chosen.id !== generalAssistant ? (
        <p className="muted text-sm">{chosen.description}</p>
      ) : null}
    </nav>
  );
}
