import { knownPrice } from '#features/generations/service.server.ts';
import type { Config } from '#platform/config/config.server.ts';
import { chatModels } from '#shared/chat-models.ts';
import { type Finding, notSet, ok, wrong } from './finding.ts';

const ABOUT = 'Spending';

export async function checkSpending(config: Config): Promise<Finding> {
  const { SPEND_CAP_DAY: cap, LLM_BASE_URL, LLM_MODEL, IMAGE_MODEL } = config;
  if (cap === undefined)
    return notSet(
      ABOUT,
      'There is no daily cap on model costs. To set one in US dollars, set SPEND_CAP_DAY.',
    );
  const models = LLM_BASE_URL
    ? ([
        [LLM_MODEL, 'text'],
        ...chatModels().map(({ id }) => [id, 'text'] as const),
        [IMAGE_MODEL, 'picture'],
      ] as const)
    : [];
  const prices = await Promise.all(models.map(([model, kind]) => knownPrice(model, kind)));
  const unknown = [...new Set(models.flatMap(([model], at) => (prices[at] ? [] : [model])))];
  if (unknown.length > 0)
    return wrong(
      ABOUT,
      `SPEND_CAP_DAY counts an assumed price because the price of ${unknown.join(' and ')} is unknown. Set it in LLM_PRICES (MODEL=INPUT/OUTPUT per million tokens, MODEL=PRICE per image; 0 for a machine of your own).`,
    );
  return ok(ABOUT, `Above $${cap} a day, new work waits until tomorrow. The price of every model is known.`);
}
