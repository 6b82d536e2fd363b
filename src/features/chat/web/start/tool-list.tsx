import type { Me } from '../../../accounts/contract.ts';
import { type Feature, featureTable, inCredits, planLimits } from '../../../credits/contract.ts';
import { wayTo } from '../state/assistants.ts';
import type { ChatState } from '../state/chat-state.ts';
import { AssistantLink } from './assistant-link.tsx';

const shownTools = 4;
const hasPrice = (id: string): id is Feature => Object.hasOwn(featureTable, id);

/** What a use costs where the card leads: the tool's price on its own page, a message's in the chat. */
function costOf(id: string, isPage: boolean, me: Me | null): string {
  const feature = isPage && hasPrice(id) ? id : 'chat';
  const { price, free } = featureTable[feature];
  if (!free || (me && planLimits[me.plan].unlimited)) return 'Included in Pro';
  if (price === 0) return 'Free';
  return feature === 'chat' ? `${inCredits(price)} a message` : inCredits(price);
}

/** The tools as a ruled list, each with its price at the end of the line. */
export function ToolList({ state }: { state: Pick<ChatState, 'me' | 'assistants' | 'toolPages'> }) {
  const tools = state.assistants.filter(({ tool }) => tool !== null).slice(0, shownTools);
  if (tools.length === 0) return null;
  return (
    <nav aria-labelledby="chat-tools">
      <h3 className="eyebrow" id="chat-tools">
        Tools
      </h3>
      <ol className="start-list">
        {tools.map((assistant, index) => {
          const { name, description, isPage } = wayTo(assistant, state.toolPages);
          return (
            <li key={assistant.id}>
              <AssistantLink assistant={assistant} state={state} className="start-tool">
                <span className="start-number" aria-hidden="true">
                  {String(index + 1).padStart(2, '0')}
                </span>
                <span className="start-tool-name">{name}</span>
                <span className="start-tool-text">{description}</span>
                <span className="start-tool-cost">{costOf(assistant.id, isPage, state.me)}</span>
              </AssistantLink>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
