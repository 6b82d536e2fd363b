import { planLimits } from '#features/credits/contract.ts';
import { type ChatModel, chatModels } from '#shared/chat-models.ts';
import type { ChatState } from './chat-state.ts';

export interface ChosenModel {
  model: ChatModel;
  /** The id to send; null: the operator's first. */
  id: string | null;
  /** Why it is the first model instead of the chosen one. */
  fallback: 'gone' | 'plan' | null;
}

const isUsable = (model: ChatModel, { me }: Pick<ChatState, 'me'>) =>
  me !== null && (!model.pro || planLimits[me.plan].unlimited);

/** Returns the models that can reply in addition to the chosen one. */
export function comparableModels(state: Pick<ChatState, 'open' | 'me'>): ChatModel[] {
  const chosen = chosenModel(state)?.model;
  return chosen && isUsable(chosen, state)
    ? chatModels().filter((model) => model !== chosen && isUsable(model, state))
    : [];
}

/** Returns the second model that replies to the next message. */
export const comparedModel = (state: Pick<ChatState, 'open' | 'me'>): ChatModel | undefined =>
  state.open.compare === null
    ? undefined
    : comparableModels(state).find(({ id }) => id === state.open.compare);

/** Returns the model that replies to the next message; undefined if there is no choice. */
export function chosenModel({ open, me }: Pick<ChatState, 'open' | 'me'>): ChosenModel | undefined {
  const [first, ...others] = chatModels();
  if (!me || !first || others.length === 0) return undefined;
  const found = [first, ...others].find(({ id }) => id === open.model);
  if (found && isUsable(found, { me })) return { model: found, id: found.id, fallback: null };
  const fallback = open.model === null ? null : found ? 'plan' : 'gone';
  return { model: first, id: null, fallback };
}
