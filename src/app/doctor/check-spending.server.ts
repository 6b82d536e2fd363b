import { knownPrice } from '#features/generations/service.server.ts';
import type { Config } from '#platform/config/config.server.ts';
import { chatModels } from '#shared/chat-models.ts';
import { type Finding, notSet, ok, wrong } from './finding.ts';

const ABOUT = 'Spending';

export async function spending(config: Config): Promise<Finding> {
  const { SPEND_CAP_DAY: cap, LLM_BASE_URL, LLM_MODEL, IMAGE_MODEL } = config;
  if (cap === undefined)
    return notSet(ABOUT, 'No cap on what models may cost in a day; SPEND_CAP_DAY sets one in US dollars.');
  const models = LLM_BASE_URL
    ? ([
        [LLM_MODEL, 'text'],
        ...chatModels().map(({ id }) => [id, 'text'] as const),
        [IMAGE_MODEL, 'picture'],
      ] as const)
    : [];
  const prices = await Promise.all(models.map(([model, made]) => knownPrice(model, made)));
  const unknown = [...new Set(models.flatMap(([model], at) => (prices[at] ? [] : [model])))];
  if (unknown.length > 0)
    return wrong(
      ABOUT,
      `SPEND_CAP_DAY counts an assumed price, for nobody says what ${unknown.join(' and ')} costs: set it in LLM_PRICES (MODEL=INPUT/OUTPUT for a million tokens, MODEL=PRICE for a picture; 0 on a machine of your own).`,
    );
  return ok(ABOUT, `New work waits for tomorrow above $${cap} a day; the price of each model is known.`);
}
