import { ProviderError, type ProviderProduct } from '#features/billing/provider/payment-provider.ts';
import { definedPacks, packFault, paymentProvider, productOf } from '#features/billing/service.server.ts';
import { formatMoney, type PlanDuration, planDurations, priceTable } from '#features/credits/contract.ts';
import type { Config } from '#platform/config/config.server.ts';
import { decimalAmount } from '#shared/decimal-amount.ts';
import { type Finding, note, notSet, ok, wrong } from './finding.ts';

const ABOUT = 'Payments';
const nameOf = (plan: PlanDuration) => `CREEM_PRODUCT_${plan.toUpperCase()}`;

/** Creem's words for how often a product renews, docs.creem.io/api-reference. */
const periods: Record<PlanDuration, string> = {
  monthly: 'every-month',
  quarterly: 'every-three-months',
  yearly: 'every-year',
};

function product(plan: PlanDuration, found: ProviderProduct | null, live: boolean): Finding {
  const name = nameOf(plan);
  const { priceCents } = priceTable[plan];
  if (!found)
    return wrong(
      ABOUT,
      `Creem has no product of the id in ${name} (${live ? 'live' : 'test'} mode): correct it.`,
    );
  if (found.live !== live)
    return wrong(
      ABOUT,
      `The product in ${name} is of the other mode than CREEM_API_KEY: use ids and key of one.`,
    );
  if (found.currency !== 'USD' || found.priceCents !== priceCents)
    return wrong(
      ABOUT,
      `The product in ${name} costs ${decimalAmount(found.priceCents)} ${found.currency}, the table of prices says ${formatMoney(priceCents)}: make them equal, or a payment grants nothing.`,
    );
  if (found.period !== periods[plan])
    return wrong(
      ABOUT,
      `The product in ${name} renews ${found.period || 'never'}, not ${periods[plan]}: set its period.`,
    );
  return ok(ABOUT, `${plan} is on sale at ${formatMoney(priceCents)}.`);
}

function pack(
  { productId, credits }: ReturnType<typeof definedPacks>[number],
  found: ProviderProduct | null,
  live: boolean,
): Finding {
  const faults = {
    unknown: `Creem has no product ${productId} of CREEM_PACKS (${live ? 'live' : 'test'} mode): correct its id.`,
    mode: `The product ${productId} of CREEM_PACKS is of the other mode than CREEM_API_KEY: use ids and key of one.`,
    recurring: `The product ${productId} of CREEM_PACKS renews ${found?.period || 'by itself'}: make one whose billing type is one-time.`,
    price: `The product ${productId} of CREEM_PACKS has no price: give it one.`,
  };
  const fault = packFault(found, live);
  if (fault) return wrong(ABOUT, faults[fault]);
  const price = `${decimalAmount(found?.priceCents ?? 0)} ${found?.currency}`;
  return ok(ABOUT, `${credits} credits are on sale at ${price}.`);
}

function failure(error: unknown): Finding {
  if (!(error instanceof ProviderError)) throw error;
  if (error.status === 401 || error.status === 403)
    return wrong(ABOUT, 'Creem refuses CREEM_API_KEY: copy it anew, live and test keys apart.');
  if (error.kind === 'unreadable')
    return wrong(
      ABOUT,
      'What answers at CREEM_BASE_URL does not speak as Creem does: unset it, or correct it.',
    );
  return wrong(
    ABOUT,
    `Creem does not answer${error.status ? ` (status ${error.status})` : ''}: try later, or correct CREEM_BASE_URL.`,
  );
}

export async function payments(config: Config): Promise<Finding[]> {
  const creem = paymentProvider();
  if (!creem)
    return [
      notSet(
        ABOUT,
        config.sandbox
          ? 'The local stand-in sells Pro; CREEM_API_KEY, CREEM_WEBHOOK_SECRET and the CREEM_PRODUCT_ ids let Creem do it.'
          : 'Nothing is for sale, and nobody moderates the prompts for pictures: set CREEM_API_KEY, CREEM_WEBHOOK_SECRET and the CREEM_PRODUCT_ ids.',
      ),
    ];
  const findings: Finding[] = [];
  for (const plan of planDurations) {
    const id = productOf(plan);
    if (!id) {
      findings.push(notSet(ABOUT, `${plan} is not offered; ${nameOf(plan)} names its product.`));
      continue;
    }
    try {
      findings.push(product(plan, await creem.product(id), creem.live));
    } catch (error) {
      return [failure(error)];
    }
  }
  for (const each of definedPacks()) {
    try {
      findings.push(pack(each, await creem.product(each.productId), creem.live));
    } catch (error) {
      return [failure(error)];
    }
  }
  if (!creem.live && !config.sandbox)
    findings.push(
      notSet(ABOUT, 'The key is one for tests: no money moves, and the card of the tests buys Pro.'),
    );
  if (config.CREEM_WEBHOOK_SECRET)
    findings.push(
      note(
        ABOUT,
        `CREEM_WEBHOOK_SECRET is set; whether it is that of the webhook to ${config.publicUrl}/api/webhooks/creem shows a test event from Creem's dashboard.`,
      ),
    );
  return findings;
}
