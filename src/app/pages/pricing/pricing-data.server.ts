import { site } from '#content/site.ts';
import { billingView } from '#features/billing/service.server.ts';
import { attachmentLimits } from '#features/chat/contract.ts';
import type { Feature, Plan, PlanDuration } from '#features/credits/contract.ts';
import { creditsOf } from '#features/credits/service.server.ts';
import { config } from '#platform/config/config.server.ts';
import type { Actor } from '#platform/http/actor.server.ts';
import { currentSale } from '../../shell/current-sale.server.ts';
import { fairUseOfAll } from '../parts/fair-use.server.ts';

/** Bounds that hold on every plan, and what an unlimited plan has a UTC day of each tool. */
export interface Limits {
  fairUse: Partial<Record<Feature, number>>;
  runningAtOnce: number;
  /** Starts that may end without a charge through one's own doing. */
  released: { perHour: number; perDay: number };
  /** Tokens of a conversation that go out with a message, and of a document in it. */
  contextTokens: number;
  attachmentTokens: number;
  /** Whether the whole site pauses once a day's cost is reached. */
  capped: boolean;
}

function limits(): Limits {
  const { RUNNING_AT_ONCE, RELEASED_PER_HOUR, RELEASED_PER_DAY, CONTEXT_TOKENS, SPEND_CAP_DAY } = config();
  return {
    fairUse: fairUseOfAll(),
    runningAtOnce: RUNNING_AT_ONCE,
    released: { perHour: RELEASED_PER_HOUR, perDay: RELEASED_PER_DAY },
    contextTokens: CONTEXT_TOKENS,
    attachmentTokens: attachmentLimits.tokens,
    capped: SPEND_CAP_DAY !== undefined,
  };
}

/** The plan that somebody has. `duration`: of the subscription that gives it; null for a grant. */
export interface OwnPlan {
  plan: Plan;
  duration: PlanDuration | null;
  credits: number;
  /** The next payment; null where there is none. */
  renewal: { cents: number; day: string } | null;
  /** When Pro ends as things stand, ISO; null when it will not. */
  endsAt: string | null;
}

/** Null for a guest. */
async function ownPlan(actor: Actor): Promise<OwnPlan | null> {
  if (actor.kind !== 'user') return null;
  const [{ plan, grant, subscriptions }, { currentCredits }] = await Promise.all([
    billingView({ actor }),
    creditsOf({ actor }),
  ]);
  const current = plan === 'pro' && !grant ? subscriptions[0] : undefined;
  const { renewsAt = null, priceCents = 0 } = current ?? {};
  return {
    plan,
    duration: current?.plan ?? null,
    credits: currentCredits,
    renewal: renewsAt === null ? null : { cents: priceCents, day: renewsAt },
    endsAt: current?.endsAt ?? null,
  };
}

/** What the page of prices shows of the configuration and of whoever looks at it. */
export async function pricingData(actor: Actor, cancelled: boolean) {
  const { publicUrl, sandbox } = config();
  return {
    publicUrl,
    own: await ownPlan(actor),
    sale: currentSale(),
    limits: limits(),
    claims: site.claims.filter((claim) => sandbox || !claim.sample),
    cancelled,
  };
}
