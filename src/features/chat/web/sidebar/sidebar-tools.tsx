import { Wrench } from 'lucide-react';
import { memo } from 'react';
import type { Me } from '#features/accounts/contract.ts';
import { type Feature, featureTable, planLimits } from '#features/credits/contract.ts';
import { toolIcons } from '#features/tools/web/tool-rail.tsx';
import { m } from '#messages';
import { AssistantLink } from '../new-chat.tsx';
import { assistantTarget, type ChatState } from '../state/chat-state.ts';
import type { Navigate } from './use-drawer.ts';

const isFeature = (id: string): id is Feature => Object.hasOwn(featureTable, id);

function priceText(id: string, isPage: boolean, me: Me | null): string {
  const { price, free } = featureTable[isPage && isFeature(id) ? id : 'chat'];
  if (!free || (me && planLimits[me.plan].unlimited)) return m.chat_tool_in_pro();
  return price === 0 ? m.chat_tool_free() : m.chat_tool_credits({ price });
}

interface SidebarToolsProps extends Pick<ChatState, 'me' | 'assistants' | 'toolPages'> {
  chosen: string | null;
  onNavigate: Navigate;
}

export const SidebarTools = memo(function ToolRow(props: SidebarToolsProps) {
  const { me, assistants, toolPages, chosen, onNavigate } = props;
  const tools = assistants.filter(({ tool }) => tool !== null);
  if (tools.length === 0) return null;
  return (
    <nav className="chat-tools border-b border-line pb-2" aria-label={m.chat_tools()}>
      <h2 className="visually-hidden">{m.chat_tools_title()}</h2>
      <ul className="grid grid-cols-5 gap-0.5 pointer-coarse:grid-cols-3">
        {tools.map((assistant) => {
          const { name, isPage } = assistantTarget(assistant, toolPages);
          const Icon = (isFeature(assistant.id) && toolIcons[assistant.id]) || Wrench;
          return (
            <li key={assistant.id}>
              <AssistantLink
                className="nav-item grid min-h-9 place-items-center gap-1 px-0 text-center text-2xs"
                assistant={assistant}
                title={m.chat_tool_and_price({ name, price: priceText(assistant.id, isPage, me) })}
                state={{ me, toolPages }}
                current={!isPage && assistant.id === chosen}
                onNavigate={onNavigate}
              >
                <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
                <span className="absolute size-px overflow-hidden [clip-path:inset(50%)] pointer-coarse:static pointer-coarse:size-auto pointer-coarse:[clip-path:none]">
                  {name}
                </span>
              </AssistantLink>
            </li>
          );
        })}
      </ul>
    </nav>
  );
});
