import { billingView } from '#features/billing/service.server.ts';
import { attachmentLimits } from '#features/chat/contract.ts';
import { offersWebSearch } from '#features/chat/service.server.ts';
import {
  type Feature,
  featureTable,
  messagePrice,
  type Plan,
  type PlanDuration,
} from '#features/credits/contract.ts';
import { readCredits, webSearchPrice } from '#features/credits/service.server.ts';
import { config } from '#platform/config/config.server.ts';
import type { Actor } from '#platform/http/actor.server.ts';
import { chatModels } from '#shared/chat-models.ts';
import { currentSale } from '../../shell/current-sale.server.ts';
import { allFairUse } from '../parts/fair-use.server.ts';
import { homeClaims, shownClaims } from '../parts/shown-claims.server.ts';

export interface Limits {
  fairUse: Partial<Record<Feature, number>>;
  runningAtOnce: number;
  /** How many runs may end without a charge through the user's own doing, for example by Stop before the first text. */
  released: { perHour: number; perDay: number };
  contextTokens: number;
  attachmentTokens: number;
  capped: boolean;
  /** Empty if there is only one model. `credits` is the price of a message on the free plan; null: only for Pro. */
  models: { model: string; credits: number | null }[];
  /** Credits that a web search adds to a message; null if it is not offered. */
  webSearch: number | null;
  /** Credits for a recording on the free plan; null if dictation is not offered. */
  dictation: number | null;
}

function modelPrices(): Limits['models'] {
  const models = chatModels();
  if (models.length < 2) return [];
  return models.map((model) => ({ model: model.name, credits: model.pro ? null : messagePrice(model) }));
}

function limits(): Limits {
  const { RUNNING_AT_ONCE, RELEASED_PER_HOUR, RELEASED_PER_DAY, CONTEXT_TOKENS, SPEND_CAP_DAY } = config();
  return {
    fairUse: allFairUse(),
    runningAtOnce: RUNNING_AT_ONCE,
    released: { perHour: RELEASED_PER_HOUR, perDay: RELEASED_PER_DAY },
    contextTokens: CONTEXT_TOKENS,
    attachmentTokens: attachmentLimits.tokens,
    models: modelPrices(),
    webSearch: offersWebSearch() ? webSearchPrice() : null,
    dictation: featureTable.dictation.offered ? featureTable.dictation.price : null,
    capped: SPEND_CAP_DAY !== undefined,
  };
}

/** The user's plan. `duration` is that of the subscription; null for the free plan or a grant. */
export interface OwnPlan {
  plan: Plan;
  duration: PlanDuration | null;
  /** Price of the subscription per period, in US cents; 0 without a subscription. */
  priceCents: number;
  credits: number;
  /** ISO 8601; null if it does not renew. */
  renewsAt: string | null;
  /** When Pro ends if nothing changes, as ISO 8601; null if no end is set. */
  endsAt: string | null;
}

async function ownPlan(actor: Actor): Promise<OwnPlan | null> {
  if (actor.kind !== 'user') return null;
  const [{ plan, grant, subscriptions }, { currentCredits }] = await Promise.all([
    billingView({ actor }),
    readCredits({ actor }),
  ]);
  const current = plan === 'pro' && !grant ? subscriptions[0] : undefined;
  const { renewsAt = null, priceCents = 0 } = current ?? {};
  return {
    plan,
    duration: current?.plan ?? null,
    priceCents,
    credits: currentCredits,
    renewsAt,
    endsAt: current?.endsAt ?? null,
  };
}

export async function pricingData(actor: Actor, cancelled: boolean) {
  const { publicUrl } = config();
  return {
    publicUrl,
    own: await ownPlan(actor),
    sale: currentSale(),
    limits: limits(),
    claims: shownClaims(homeClaims()),
    cancelled,
  };
}
