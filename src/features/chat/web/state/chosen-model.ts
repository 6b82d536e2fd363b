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

const usable = (model: ChatModel, { me }: Pick<ChatState, 'me'>) =>
  me !== null && (!model.pro || planLimits[me.plan].unlimited);

/** What can be asked beside what was chosen. */
export function comparableModels(state: Pick<ChatState, 'open' | 'me'>): ChatModel[] {
  const chosen = chosenModel(state)?.model;
  return chosen && usable(chosen, state)
    ? chatModels().filter((model) => model !== chosen && usable(model, state))
    : [];
}

/** The second one, which answers the next message too. */
export const comparedModel = (state: Pick<ChatState, 'open' | 'me'>): ChatModel | undefined =>
  state.open.compare === null
    ? undefined
    : comparableModels(state).find(({ id }) => id === state.open.compare);

/** What answers the next message; undefined where there is nothing to choose. */
export function chosenModel({ open, me }: Pick<ChatState, 'open' | 'me'>): ChosenModel | undefined {
  const [first, ...others] = chatModels();
  if (!me || !first || others.length === 0) return undefined;
  const found = [first, ...others].find(({ id }) => id === open.model);
  if (found && usable(found, { me })) return { model: found, id: found.id, lost: null };
  const lost = open.model === null ? null : found ? 'plan' : 'gone';
  return { model: first, id: null, lost };
}
