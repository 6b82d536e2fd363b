import { planLimits } from '#features/credits/contract.ts';
import { type ChatModel, chatModels } from '#shared/chat-models.ts';
import type { ChatState } from './chat-state.ts';

export interface ChosenModel {
  model: ChatModel;
  /** As it is sent; null: the operator's first. */
  id: string | null;
  /** Why it is the first instead of what was chosen. */
  lost: 'gone' | 'plan' | null;
}

/** What answers the next message; undefined where there is nothing to choose. */
export function chosenModel({ open, me }: Pick<ChatState, 'open' | 'me'>): ChosenModel | undefined {
  const [first, ...others] = chatModels();
  if (!me || !first || others.length === 0) return undefined;
  const found = [first, ...others].find(({ id }) => id === open.model);
  if (found && (!found.pro || planLimits[me.plan].unlimited))
    return { model: found, id: found.id, lost: null };
  const lost = open.model === null ? null : found ? 'plan' : 'gone';
  return { model: first, id: null, lost };
}
