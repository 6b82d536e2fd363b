import { settingOr } from './settings.ts';

/** A model that the operator lets people choose in chat. */
export interface ChatModel {
  /** The gateway's id. */
  id: string;
  name: string;
  /** What it is good for. */
  about: string;
  /** Tokens per request; null for the value of `models.context`. */
  context: number | null;
  seesImages: boolean;
  thinks: boolean;
  /** Price of a message on the free plan; null for the price of chat. */
  credits: number | null;
  /** Not available on the free plan. */
  pro: boolean;
  /** Ids of models that the gateway may use instead, in this order. */
  fallbacks: string[];
}

export const chatModelsSetting = 'models.list';

/** The first one is the default. If empty, `models.text` is used and the pages don't mention models. */
export const chatModels = (): readonly ChatModel[] => settingOr<readonly ChatModel[]>(chatModelsSetting, []);

export const chatModelOf = (id: string | null): ChatModel | undefined =>
  chatModels().find((model) => model.id === id);
