import { type Assistant, generalAssistant } from '../../contract.ts';
import type { ChatState } from './chat-state.ts';

/** The assistant of the open chat; undefined where the list has it no more. */
export const openAssistant = ({ assistants, open }: Pick<ChatState, 'assistants' | 'open'>) =>
  assistants.find(({ id }) => id === open.assistant);

/** Where a chat with an assistant begins. */
export const newChatPath = (assistant: string): string =>
  assistant === generalAssistant ? '/chat/new' : `/chat/new?assistant=${encodeURIComponent(assistant)}`;

/** Where an assistant is met: on its tool's page where the site has that, else in a chat. */
export const wayTo = ({ id, tool }: Assistant, toolPages: readonly string[]): string =>
  tool !== null && toolPages.includes(tool) ? tool : newChatPath(id);
