import { m } from '#messages';
import type { ChatModel } from '#shared/chat-models.ts';
import { settingOr } from '#shared/settings.ts';
import { formatMoney } from './format-amounts.ts';

export { formatCredits, formatMoney } from './format-amounts.ts';

/** `business` is granted by the operator until a date and is treated like `pro`. */
export const plans = ['free', 'pro', 'business'] as const;
export type Plan = (typeof plans)[number];

/** What changed a user's plan (invariant I9). */
export type PlanCause = 'event' | 'reconcile' | 'clock' | 'operator';

interface FeatureRow {
  readonly name: string;
  /** Texts for the price of one unit, and for the daily limit. */
  cost: (values: { count: number }) => string;
  daily: (values: { count: number }) => string;
  /** Path of the page; menu, footer and sitemap list the pages in the order of the table. */
  page?: string;
  /** Credits per unit on the free plan. */
  price: number;
  free: boolean;
  /** False while the operator has switched the tool off, or a requirement is missing. */
  readonly offered: boolean;
  /** Counts against the limit of concurrent runs and the daily limits. */
  counted: boolean;
  /** Runs per UTC day for people who are charged nothing: on unlimited plans, or if the price is 0. */
  fairUse?: number;
  /** Makes texts with versions (`features/texts`). */
  makesTexts?: boolean;
}

type ShippedRow = Omit<FeatureRow, 'offered'>;

const rows = {
  chat: {
    get name() {
      return m.tool_chat();
    },
    cost: m.tool_cost_chat,
    daily: m.tool_daily_chat,
    page: '/chat',
    price: 1,
    free: true,
    counted: true,
    fairUse: 300,
  },
  writer: {
    get name() {
      return m.tool_writer();
    },
    cost: m.tool_cost_writer,
    daily: m.tool_daily_writer,
    page: '/tools/writer',
    price: 1,
    free: true,
    counted: true,
    fairUse: 100,
    makesTexts: true,
  },
  script: {
    get name() {
      return m.tool_script();
    },
    cost: m.tool_cost_script,
    daily: m.tool_daily_script,
    page: '/tools/script',
    price: 2,
    free: false,
    counted: true,
    fairUse: 100,
    makesTexts: true,
  },
  image: {
    get name() {
      return m.tool_image();
    },
    cost: m.tool_cost_image,
    daily: m.tool_daily_image,
    page: '/tools/image',
    price: 5,
    free: true,
    counted: true,
    fairUse: 40,
  },
  pdf: {
    get name() {
      return m.tool_pdf();
    },
    cost: m.tool_cost_pdf,
    daily: m.tool_daily_pdf,
    page: '/tools/pdf',
    price: 3,
    free: false,
    counted: true,
    fairUse: 100,
  },
  question: {
    get name() {
      return m.tool_question();
    },
    cost: m.tool_cost_question,
    daily: m.tool_daily_question,
    price: 1,
    free: false,
    counted: true,
    fairUse: 100,
  },
  completion: {
    get name() {
      return m.tool_completion();
    },
    cost: m.tool_cost_chat,
    daily: m.tool_daily_chat,
    price: 1,
    free: true,
    counted: true,
    fairUse: 300,
  },
  dictation: {
    get name() {
      return m.tool_dictation();
    },
    cost: m.tool_cost_dictation,
    daily: m.tool_daily_dictation,
    price: 1,
    free: true,
    counted: true,
    fairUse: 100,
  },
  prompts: {
    get name() {
      return m.tool_prompts();
    },
    cost: m.tool_cost_none,
    daily: m.tool_daily_none,
    page: '/tools/prompts',
    price: 0,
    free: true,
    counted: false,
  },
  title: {
    get name() {
      return m.tool_title();
    },
    cost: m.tool_cost_none,
    daily: m.tool_daily_none,
    price: 0,
    free: true,
    counted: false,
  },
} satisfies Record<string, ShippedRow>;

export type Feature = keyof typeof rows;

export const features = Object.keys(rows) as Feature[];

/** The defaults, before the operator changes them. */
export const shippedTools: Readonly<
  Record<Feature, Pick<FeatureRow, 'price' | 'free' | 'counted' | 'fairUse'>>
> = Object.fromEntries(
  Object.entries(rows as Record<Feature, ShippedRow>).map(([feature, { price, free, counted, fairUse }]) => [
    feature,
    { price, free, counted, ...(fairUse !== undefined && { fairUse }) },
  ]),
) as Record<Feature, FeatureRow>;

/** A question is about a document: whoever may open one may ask. */
const permissionFeature = (feature: Feature): Feature => (feature === 'question' ? 'pdf' : feature);

/** An API request costs as much as a chat message. */
const priceFeature = (feature: Feature): Feature => (feature === 'completion' ? 'chat' : feature);

export const offeredSetting = (feature: string): string => `tool.${feature}.on`;

/** Replaces the row's prices and rights with getters of the current settings. */
function withSettings(feature: Feature, row: ShippedRow): FeatureRow {
  const { free, fairUse } = shippedTools[feature];
  const priced = priceFeature(feature);
  const fields: Record<string, () => unknown> = {
    price: () => settingOr(`tool.${priced}.price`, shippedTools[priced].price),
    free: () => settingOr(`tool.${permissionFeature(feature)}.free`, free),
    offered: () => settingOr(offeredSetting(permissionFeature(feature)), true),
    ...(fairUse !== undefined && { fairUse: () => settingOr(`limits.fairUse.${feature}`, fairUse) }),
  };
  for (const [name, get] of Object.entries(fields))
    Object.defineProperty(row, name, { get, enumerable: true });
  return row as FeatureRow;
}

/** readings.md, "One table of plans, prices and permissions". Unlimited plans are charged nothing. */
export const featureTable = Object.fromEntries(
  Object.entries(rows as Record<Feature, ShippedRow>).map(([feature, row]) => [
    feature,
    withSettings(feature as Feature, row),
  ]),
) as Record<Feature, FeatureRow>;

/** Credits that a chat message costs on the free plan. */
export const messagePrice = (model: ChatModel | null | undefined): number =>
  model?.credits ?? featureTable.chat.price;

interface PlanLimits {
  /** New conversations per UTC day; null is unlimited. */
  chatsPerDay: number | null;
  unlimited: boolean;
}

export const shippedFree = { chatsPerDay: 3, welcomeCredits: 10 };

export const planLimits: Record<Plan, PlanLimits> = {
  free: {
    get chatsPerDay() {
      return settingOr('plan.free.chatsPerDay', shippedFree.chatsPerDay);
    },
    unlimited: false,
  },
  pro: { chatsPerDay: null, unlimited: true },
  business: { chatsPerDay: null, unlimited: true },
};

export const welcomeCredits = (): number => settingOr('credits.welcome', shippedFree.welcomeCredits);

export const planDurations = ['monthly', 'quarterly', 'yearly'] as const;
export type PlanDuration = (typeof planDurations)[number];

const defaultDuration: PlanDuration = 'yearly';

interface PriceRow {
  /** US cents for the whole period. */
  readonly priceCents: number;
  readonly period: string;
  /** US cents per day, rounded. */
  readonly dailyCents: number;
  months: number;
  popular: boolean;
  readonly savings: string | null;
}

export const shippedCents = { monthly: 1999, quarterly: 3999, yearly: 6999 } as const;

export const centsSetting = (duration: PlanDuration): string => `plan.${duration}.cents`;

const centsOf = (duration: PlanDuration): number => settingOr(centsSetting(duration), shippedCents[duration]);

/** Compared with paying monthly for as many months. */
function savedPercent(duration: PlanDuration, months: number): number {
  return Math.floor(100 * (1 - centsOf(duration) / (months * centsOf('monthly'))));
}

interface Period {
  name: () => string;
  months: number;
  days: number;
  popular?: boolean;
  /** Whether the price list shows the savings. */
  showsSavings?: boolean;
}

const priceRow = (
  duration: PlanDuration,
  { name, months, days, popular = false, showsSavings }: Period,
): PriceRow => ({
  get priceCents() {
    return centsOf(duration);
  },
  get period() {
    return name();
  },
  get dailyCents() {
    return Math.round(centsOf(duration) / days);
  },
  months,
  popular,
  get savings() {
    const percent = showsSavings ? savedPercent(duration, months) : 0;
    return percent > 0 ? m.plan_save({ percent: String(percent) }) : null;
  },
});

export const priceTable: Record<PlanDuration, PriceRow> = {
  monthly: priceRow('monthly', { name: m.plan_monthly, months: 1, days: 30 }),
  quarterly: priceRow('quarterly', { name: m.plan_quarterly, months: 3, days: 90, popular: true }),
  yearly: priceRow('yearly', { name: m.plan_yearly, months: 12, days: 365, showsSavings: true }),
};

export function isPlanDuration(text: unknown): text is PlanDuration {
  return planDurations.some((duration) => duration === text);
}

export const planChoices = () =>
  planDurations.toReversed().map((duration) => {
    const { period, priceCents, dailyCents, popular, savings } = priceTable[duration];
    return {
      value: duration,
      title: period,
      detail: m.plan_per_day({ price: formatMoney(dailyCents) }),
      figure: formatMoney(priceCents),
      badge: savings ?? (popular ? m.plan_most_popular() : undefined),
    };
  });

export function choicesOnSale(onSale: readonly PlanDuration[], preferred: PlanDuration = defaultDuration) {
  const choices = planChoices().filter(({ value }) => onSale.includes(value));
  const chosen = choices.find(({ value }) => value === preferred) ?? choices[0];
  return { choices, chosen: chosen?.value ?? preferred };
}

export const proPromise = m.pro_promise;
export const seller = 'Creem';

/** Counted from the first payment. */
export const moneyBackDays = 7;

export const noSaleText = m.sale_none;
export const checkoutText = () => m.sale_then_checkout({ seller });

export const saleTermsText = () => m.sale_terms({ days: moneyBackDays });

export interface CreditsView {
  currentCredits: number;
  plan: Plan;
}

/** Identifies the prices that a page shows; work that is requested under other prices is refused. */
export const pricesVersion = (): string =>
  features
    .filter((feature) => featureTable[feature].counted)
    .map((feature) => `${featureTable[feature].price}${featureTable[feature].free ? '' : 'p'}`)
    .join('.');

/** Sent with a request that costs credits. A program that omits it pays the current price. */
export const priceHeader = 'X-Prices';

export const creditTexts = {
  insufficient: m.credits_insufficient,
  dailyChats: () => m.credits_daily_chats({ count: planLimits.free.chatsPerDay ?? 0 }),
  planRequired: m.credits_plan_required,
  running: (count: number) => m.credits_running({ count }),
  fairUse: m.credits_fair_use,
  pricesChanged: m.credits_prices_changed,
  released: (from: string) => m.credits_released({ from }),
  spendCap: m.credits_spend_cap,
  keyCeiling: m.credits_key_ceiling,
  toolOff: m.credits_tool_off,
} as const;
