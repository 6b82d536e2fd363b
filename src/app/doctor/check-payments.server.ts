import { ProviderError, type ProviderProduct } from '#features/billing/provider/payment-provider.ts';
import {
  definedPacks,
  paymentProvider,
  productOf,
  unsellableReason,
} from '#features/billing/service.server.ts';
import { formatMoney, type PlanDuration, planDurations, priceTable } from '#features/credits/contract.ts';
import type { Config } from '#platform/config/config.server.ts';
import { decimalAmount } from '#shared/decimal-amount.ts';
import { type Finding, note, notSet, ok, wrong } from './finding.ts';

const ABOUT = 'Payments';
const variableName = (plan: PlanDuration) => `CREEM_PRODUCT_${plan.toUpperCase()}`;

/** Creem's billing periods (docs.creem.io/api-reference). */
const periods: Record<PlanDuration, string> = {
  monthly: 'every-month',
  quarterly: 'every-three-months',
  yearly: 'every-year',
};

function checkProduct(plan: PlanDuration, product: ProviderProduct | null, live: boolean): Finding {
  const name = variableName(plan);
  const { priceCents } = priceTable[plan];
  if (!product)
    return wrong(
      ABOUT,
      `Creem has no product with the ID in ${name} (${live ? 'live' : 'test'} mode). Check the ID.`,
    );
  if (product.live !== live)
    return wrong(
      ABOUT,
      `The product in ${name} is in a different mode from CREEM_API_KEY. Use IDs and a key from the same mode.`,
    );
  if (product.currency !== 'USD' || product.priceCents !== priceCents)
    return wrong(
      ABOUT,
      `The product in ${name} costs ${decimalAmount(product.priceCents)} ${product.currency}, but the price table says ${formatMoney(priceCents)}. Make them match, or a payment grants nothing.`,
    );
  if (product.period !== periods[plan])
    return wrong(
      ABOUT,
      `The product in ${name} renews ${product.period || 'never'}, not ${periods[plan]}. Change its billing period.`,
    );
  return ok(ABOUT, `${plan} is on sale at ${formatMoney(priceCents)}.`);
}

function checkPack(
  { productId, credits }: ReturnType<typeof definedPacks>[number],
  product: ProviderProduct | null,
  live: boolean,
): Finding {
  const faults = {
    unknown: `Creem has no product ${productId} from CREEM_PACKS (${live ? 'live' : 'test'} mode). Check the ID.`,
    mode: `The product ${productId} in CREEM_PACKS is in a different mode from CREEM_API_KEY. Use IDs and a key from the same mode.`,
    recurring: `The product ${productId} in CREEM_PACKS renews ${product?.period || 'automatically'}. Use one whose billing type is one-time.`,
    price: `The product ${productId} in CREEM_PACKS has no price. Set one.`,
  };
  const fault = unsellableReason(product, live);
  if (fault) return wrong(ABOUT, faults[fault]);
  const price = `${decimalAmount(product?.priceCents ?? 0)} ${product?.currency}`;
  return ok(ABOUT, `${credits} credits are on sale at ${price}.`);
}

function failureFinding(error: unknown): Finding {
  if (!(error instanceof ProviderError)) throw error;
  if (error.status === 401 || error.status === 403)
    return wrong(ABOUT, "Creem rejected CREEM_API_KEY. Copy it again, and don't mix up live and test keys.");
  if (error.kind === 'unreadable')
    return wrong(ABOUT, 'CREEM_BASE_URL does not respond like Creem. Unset it, or fix it.');
  return wrong(
    ABOUT,
    `Creem does not respond${error.status ? ` (status ${error.status})` : ''}. Try again later, or check CREEM_BASE_URL.`,
  );
}

export async function checkPayments(config: Config): Promise<Finding[]> {
  const creem = paymentProvider();
  if (!creem)
    return [
      notSet(
        ABOUT,
        config.sandbox
          ? 'A local stand-in sells Pro. To sell through Creem, set CREEM_API_KEY, CREEM_WEBHOOK_SECRET and the CREEM_PRODUCT_ IDs.'
          : 'Nothing is for sale, and image prompts are not moderated. To change that, set CREEM_API_KEY, CREEM_WEBHOOK_SECRET and the CREEM_PRODUCT_ IDs.',
      ),
    ];
  const findings: Finding[] = [];
  for (const plan of planDurations) {
    const id = productOf(plan);
    if (!id) {
      findings.push(notSet(ABOUT, `${plan} is not for sale. To sell it, set ${variableName(plan)}.`));
      continue;
    }
    try {
      findings.push(checkProduct(plan, await creem.product(id), creem.live));
    } catch (error) {
      return [failureFinding(error)];
    }
  }
  for (const each of definedPacks()) {
    try {
      findings.push(checkPack(each, await creem.product(each.productId), creem.live));
    } catch (error) {
      return [failureFinding(error)];
    }
  }
  if (!creem.live && !config.sandbox)
    findings.push(notSet(ABOUT, 'CREEM_API_KEY is a test key. No money moves, and a test card buys Pro.'));
  if (config.CREEM_WEBHOOK_SECRET)
    findings.push(
      note(
        ABOUT,
        `CREEM_WEBHOOK_SECRET is set. To check that it belongs to the webhook for ${config.publicUrl}/api/webhooks/creem, send a test event from the Creem dashboard.`,
      ),
    );
  return findings;
}
