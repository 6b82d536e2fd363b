import { settingOr } from './settings.ts';

/** One of the models that the operator lets people choose in chat. */
export interface ChatModel {
  /** As the gateway calls it. */
  id: string;
  name: string;
  /** What it is good for. */
  about: string;
  /** Tokens a request; null: as many as `models.context` says. */
  context: number | null;
  seesImages: boolean;
  thinks: boolean;
  /** A message on the free plan; null: the price of chat. */
  credits: number | null;
  /** Not for the free plan. */
  pro: boolean;
  /** Ids of what the gateway may ask in its place, in this order. */
  fallbacks: string[];
}

export const chatModelsSetting = 'models.list';

/** The first one is what answers where nobody chose. Empty: `models.text` answers, and nothing is said of models. */
export const chatModels = (): readonly ChatModel[] => settingOr<readonly ChatModel[]>(chatModelsSetting, []);

export const chatModelOf = (id: string | null): ChatModel | undefined =>
  chatModels().find((model) => model.id === id);
