import { type Assistant, generalAssistant } from '../../contract.ts';
import type { ChatState } from './chat-state.ts';

/** The assistant of the open chat; undefined where the list has it no more. */
export const openAssistant = ({ assistants, open }: Pick<ChatState, 'assistants' | 'open'>) =>
  assistants.find(({ id }) => id === open.assistant);

/** Where a chat with an assistant begins. */
export const newChatPath = (assistant: string): string =>
  assistant === generalAssistant ? '/chat/new' : `/chat/new?assistant=${encodeURIComponent(assistant)}`;

/** Where an assistant is met, and what is met there: on its tool's page where the site has that, else in a chat. */
export function wayTo(
  { id, name, description, tool }: Assistant,
  toolPages: readonly string[],
): { to: string; name: string; description: string; isPage: boolean } {
  return tool && toolPages.includes(tool.path)
    ? { to: tool.path, name: tool.name, description: tool.description, isPage: true }
    : { to: newChatPath(id), name, description, isPage: false };
}
