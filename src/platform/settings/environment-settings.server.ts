import { config } from '#platform/config/config.server.ts';
import { type Environment, variables } from '#platform/config/environment-schema.server.ts';
import { type ModelPrice, parseModelPrices } from '#platform/config/model-prices.ts';
import { type PackDefinition, parsePacks } from '#platform/config/variable-kinds.server.ts';
import type { SettingDefinition } from './setting-definitions.server.ts';
import { identifier, number, packs, prices } from './setting-kinds.server.ts';

type Described = Omit<SettingDefinition, 'shipped' | 'variable' | 'about'> & {
  variable: keyof Environment;
  /** Default: the description of the variable. */
  about?: string;
};

const count = (max: number, unit: string) => number({ min: 1, max, unit });

const pricesText = (prices: ReadonlyMap<string, ModelPrice>): string =>
  [...prices]
    .map(([model, { input, output, call }]) => `${model}=${call > 0 ? call : `${input}/${output}`}`)
    .join(',');

const packsText = (defined: readonly PackDefinition[]): string =>
  defined.map(({ productId, credits }) => `${productId}=${credits}`).join(',');

const product = (label: string, variable: keyof Environment): Described => ({
  group: 'Payments',
  label,
  variable,
  toVariable: (value: string) => value || undefined,
  ...identifier(100, { empty: true }),
});

const described: Readonly<Record<string, Described>> = {
  'models.text': { group: 'Models', label: 'Text model', variable: 'LLM_MODEL', ...identifier(200) },
  'models.image': {
    group: 'Models',
    label: 'Image model',
    about: 'Model for images. Empty: none, and the Image Generator is hidden.',
    variable: 'IMAGE_MODEL',
    ...identifier(200, { empty: true }),
  },
  'models.transcription': {
    group: 'Models',
    label: 'Dictation model',
    about:
      'Model that transcribes what people dictate into a chat message. Empty: none, and dictation is not offered.',
    variable: 'TRANSCRIPTION_MODEL',
    toVariable: (value: string) => value || undefined,
    ...identifier(200, { empty: true }),
  },
  'models.context': {
    group: 'Models',
    label: 'Context length',
    variable: 'CONTEXT_TOKENS',
    ...number({ min: 1_000, max: 10_000_000, unit: 'tokens' }),
  },
  'models.firstToken': {
    group: 'Models',
    label: 'First-token timeout',
    variable: 'FIRST_TOKEN_SECONDS',
    ...number({ min: 1, max: 600, unit: 'seconds' }),
  },
  'models.prices': {
    group: 'Models',
    label: 'Model prices',
    variable: 'LLM_PRICES',
    toVariable: (value: string) => parseModelPrices(value) ?? undefined,
    fromVariable: pricesText,
    ...prices(),
  },
  'models.spendCap': {
    group: 'Models',
    label: 'Daily spending cap',
    about:
      'The most all models together may cost per UTC day, in US dollars. Above it, nothing new starts until the next day. 0: no cap.',
    variable: 'SPEND_CAP_DAY',
    toVariable: (value: number) => value || undefined,
    ...number({ min: 0, max: 1_000_000, unit: 'US dollars', fractions: true }),
  },
  'limits.running': {
    group: 'Limits',
    label: 'Replies at once',
    variable: 'RUNNING_AT_ONCE',
    ...count(1_000, 'replies'),
  },
  'limits.fairUse.chat': {
    group: 'Limits',
    label: 'Fair use, messages',
    variable: 'FAIR_USE_CHAT',
    ...count(1_000_000, 'a day'),
  },
  'limits.released.hour': {
    group: 'Limits',
    label: 'Released starts per hour',
    variable: 'RELEASED_PER_HOUR',
    ...count(100_000, 'starts'),
  },
  'limits.released.day': {
    group: 'Limits',
    label: 'Released starts per day',
    variable: 'RELEASED_PER_DAY',
    ...count(100_000, 'starts'),
  },
  'limits.signInMails': {
    group: 'Limits',
    label: 'Sign-in mails',
    variable: 'SIGN_IN_MAILS_HOUR',
    ...count(10_000_000, 'an hour'),
  },
  'payments.monthly': product('Product, monthly', 'CREEM_PRODUCT_MONTHLY'),
  'payments.quarterly': product('Product, quarterly', 'CREEM_PRODUCT_QUARTERLY'),
  'payments.yearly': product('Product, yearly', 'CREEM_PRODUCT_YEARLY'),
  'payments.packs': {
    group: 'Payments',
    label: 'Credit packs',
    about:
      'Credit packs, sold as one-time purchases: the ID of each one-time product and its credits, such as prod_4=100,prod_5=500. The product sets the price. Empty: none for sale.',
    variable: 'CREEM_PACKS',
    toVariable: (value: string) => parsePacks(value) ?? undefined,
    fromVariable: packsText,
    ...packs(),
  },
};

/** Values that the process was started with, of the variables that settings may override. */
let started: { config: object; values: Partial<Environment> } | undefined;

function startedWith(): Partial<Environment> {
  const current = config();
  if (started?.config !== current) {
    const names = Object.values(described).map(({ variable }) => variable);
    started = {
      config: current,
      values: Object.fromEntries(names.map((name) => [name, current[name as never]])),
    };
  }
  return started.values;
}

/** Returns the variable's value in this process's environment, or its default; null if there is none. */
export function variableValue({ variable, fromVariable }: SettingDefinition): unknown {
  const value = variable && startedWith()[variable];
  if (value === undefined) return null;
  return fromVariable ? fromVariable(value as never) : value;
}

/** Finds settings that conflict with each other, with stored values taking precedence over the environment. */
export function conflicts(
  stored: Readonly<Record<string, unknown>>,
): Array<{ name: string; problem: string }> {
  const sold = new Map<string, string>();
  return Object.entries(described).flatMap(([name, { group, variable, toVariable }]) => {
    if (group !== 'Payments') return [];
    const value = stored[name];
    const used =
      (value === undefined || value === null ? startedWith()[variable] : toVariable?.(value as never)) ?? [];
    const ids = Array.isArray(used) ? (used as PackDefinition[]).map(({ productId }) => productId) : [used];
    const other = ids.map((id) => sold.get(String(id))).find((known) => known !== undefined);
    for (const id of ids) sold.set(String(id), name);
    return other ? [{ name, problem: `must be a different product from ${other}` }] : [];
  });
}

/** Writes stored values over those of the environment, for all code that reads `config()` when it needs a value. */
export function replaceVariables(stored: Readonly<Record<string, unknown>>): void {
  const fallback = startedWith();
  for (const [name, { variable, toVariable }] of Object.entries(described)) {
    const value = stored[name];
    const next = value === undefined ? fallback[variable] : toVariable ? toVariable(value as never) : value;
    Object.assign(config(), { [variable]: next });
  }
}

export const environmentSettings: Readonly<Record<string, SettingDefinition>> = Object.fromEntries(
  Object.entries(described).map(([name, definition]) => {
    const variable = variables().find((each) => each.name === definition.variable);
    return [
      name,
      { ...definition, about: definition.about ?? variable?.info.about ?? '', shipped: variable?.fallback },
    ];
  }),
);
