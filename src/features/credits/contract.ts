/** Plans of a user. `business` is a dated grant of the operator and is treated like `pro`. */
export const plans = ['free', 'pro', 'business'] as const;
export type Plan = (typeof plans)[number];

/** Why a plan changed: a webhook, a reconciling read of the provider, the clock, or the operator (invariant I9). */
export type PlanCause = 'event' | 'reconcile' | 'clock' | 'operator';

/** Work that costs credits, and the internal work that costs none. */
export const features = ['chat', 'writer', 'script', 'image', 'pdf', 'question', 'prompts', 'title'] as const;
export type Feature = (typeof features)[number];

export interface FeatureRow {
  name: string;
  /** Credits for one unit of work on the free plan. */
  price: number;
  /** Whether a free user may use it; the operator may open a locked tool. */
  free: boolean;
  /** Whether it counts against the limit of runs at once and the daily limits. */
  counted: boolean;
}

/**
 * The one table of prices and permissions (readings.md, "One table of plans, prices and permissions").
 * Pages show it, admission charges by it. Unlimited plans are charged nothing.
 */
export const featureTable: Record<Feature, FeatureRow> = {
  chat: { name: 'AI chat', price: 1, free: true, counted: true },
  writer: { name: 'AI Writer', price: 1, free: true, counted: true },
  script: { name: 'Script Generator', price: 2, free: false, counted: true },
  image: { name: 'Image Generator', price: 5, free: true, counted: true },
  pdf: { name: 'PDF Analyzer', price: 3, free: false, counted: true },
  question: { name: 'Question to a PDF', price: 1, free: false, counted: true },
  prompts: { name: 'Prompt Lab', price: 0, free: true, counted: false },
  title: { name: 'Chat title', price: 0, free: true, counted: false },
};

export interface PlanLimits {
  /** New conversations a UTC day; null is unlimited. */
  chatsPerDay: number | null;
  unlimited: boolean;
}

export const planLimits: Record<Plan, PlanLimits> = {
  free: { chatsPerDay: 3, unlimited: false },
  pro: { chatsPerDay: null, unlimited: true },
  business: { chatsPerDay: null, unlimited: true },
};

/** Fair use of the unlimited plans, runs of a feature a UTC day. */
export const fairUsePerDay: Partial<Record<Feature, number>> = {
  chat: 300,
  writer: 100,
  script: 100,
  image: 40,
  pdf: 100,
  question: 100,
};

/** Credits at the first sign-in, once per person. */
export const welcomeCredits = 10;

export const planDurations = ['monthly', 'quarterly', 'yearly'] as const;
export type PlanDuration = (typeof planDurations)[number];

/** The duration that is chosen until the visitor chooses. */
export const defaultDuration: PlanDuration = 'yearly';

export interface PriceRow {
  /** US cents for the whole period. */
  priceCents: number;
  period: string;
  /** US cents a day, as the specification states them. */
  dailyCents: number;
  months: number;
  popular: boolean;
  savings: string | null;
}

export const priceTable: Record<PlanDuration, PriceRow> = {
  monthly: { priceCents: 1999, period: '1 Month', dailyCents: 67, months: 1, popular: false, savings: null },
  quarterly: {
    priceCents: 3999,
    period: '3 Months',
    dailyCents: 44,
    months: 3,
    popular: true,
    savings: null,
  },
  yearly: {
    priceCents: 6999,
    period: '1 Year',
    dailyCents: 19,
    months: 12,
    popular: false,
    savings: 'Save 70%',
  },
};

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** An amount in US cents as it is shown: $19.99. */
export const money = (cents: number): string => dollars.format(cents / 100);

/** What a duration saves against paying by the month for as long, in cents, and in whole percent rounded down. */
export function savingOf(duration: PlanDuration) {
  const [{ priceCents, months }, month] = [priceTable[duration], priceTable.monthly.priceCents];
  const byMonth = month * months;
  const saved = byMonth - priceCents;
  return { month, months, byMonth, saved, percent: Math.floor((saved / byMonth) * 100) };
}

/** Whether a text from outside names a duration of Pro. */
export function isPlanDuration(text: unknown): text is PlanDuration {
  return planDurations.some((duration) => duration === text);
}

/** The durations of Pro in words, the longest first as every chooser shows them. */
export const planChoices = planDurations.toReversed().map((duration) => {
  const { period, priceCents, dailyCents, popular, savings } = priceTable[duration];
  return {
    value: duration,
    title: period,
    detail: `${money(dailyCents)} a day`,
    figure: money(priceCents),
    badge: savings ?? (popular ? 'Most Popular' : undefined),
  };
});

/** The choices among the durations that are for sale, and the one that is chosen until the visitor chooses. */
export function choicesAmong(onSale: readonly PlanDuration[], wanted: PlanDuration = defaultDuration) {
  const choices = planChoices.filter(({ value }) => onSale.includes(value));
  const chosen = choices.find(({ value }) => value === wanted) ?? choices[0];
  return { choices, chosen: chosen?.value ?? wanted };
}

/** What Pro is, in one line. */
export const proPromise = 'Unlimited use of every tool. 7-day money-back, cancel anytime.';

/** Who takes the payment, as people are told. */
export const seller = 'Creem';

/** What somebody who wants Pro is told where nothing is for sale. */
export const noSale = 'Pro is not on sale on this site yet: nothing can be bought, and nothing is charged.';

/** What follows a sign-in that asks for Pro. */
export const thenCheckout = `After you sign in you go on to checkout at ${seller}. Nothing is charged before you pay there. Pro renews until you cancel.`;

/** What buying means, beside every button that leads to it. */
export const saleTerms = `Renews until you cancel, which takes two steps on the dashboard. Taxes of your country are included. Money back within 7 days of your first payment, once per person.`;

/** An amount of credits in words: 1 credit, 5 credits. */
export const inCredits = (amount: number): string => `${amount} ${amount === 1 ? 'credit' : 'credits'}`;

/** `GET /api/credits`; 401 for a guest. */
export interface CreditsView {
  currentCredits: number;
  plan: Plan;
}

/** Text of a refusal, in the specification's words where it has them. */
export const creditTexts = {
  insufficient: 'Insufficient credits. Please purchase more credits or subscribe to a plan.',
  dailyChats: 'You have started 3 conversations today. More from 00:00 UTC, or go Pro.',
  planRequired: 'This tool is part of the Pro plan.',
  running: 'As many replies as you may have at once are running. Wait for one to finish or stop it.',
  fairUse: 'You have reached today’s fair-use limit. More from 00:00 UTC.',
  /** @param from when work can start again, such as '14:32'. */
  released: (from: string) =>
    `Many of your recent requests were stopped or returned nothing. You can start again at ${from} UTC. Nothing was charged for them, and what you typed is kept.`,
  spendCap: 'New work is paused for today. Please try again tomorrow.',
} as const;
