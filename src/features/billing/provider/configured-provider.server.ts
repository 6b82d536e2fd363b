import { type PlanDuration, planDurations } from '#features/credits/contract.ts';
import { config } from '#platform/config/config.server.ts';
import { creem, isTestKey } from './creem.adapter.server.ts';
import type { PaymentProvider } from './payment-provider.ts';

/** Also used to moderate prompts for images. Null without a key. */
export function creemAccess(): { baseUrl: string; apiKey: string } | null {
  const { CREEM_API_KEY: apiKey, CREEM_BASE_URL } = config();
  if (!apiKey) return null;
  const host = isTestKey(apiKey) ? 'https://test-api.creem.io' : 'https://api.creem.io';
  return { apiKey, baseUrl: CREEM_BASE_URL ?? host };
}

export function paymentProvider(): PaymentProvider | null {
  const access = creemAccess();
  return access && creem({ ...access, webhookSecret: config().CREEM_WEBHOOK_SECRET });
}

const productSettings = {
  monthly: 'CREEM_PRODUCT_MONTHLY',
  quarterly: 'CREEM_PRODUCT_QUARTERLY',
  yearly: 'CREEM_PRODUCT_YEARLY',
} as const;

export const productOf = (plan: PlanDuration): string | null => config()[productSettings[plan]] ?? null;

export const planOfProduct = (id: string): PlanDuration | null =>
  planDurations.find((plan) => productOf(plan) === id) ?? null;

export function onSale(): PlanDuration[] {
  return creemAccess() ? planDurations.filter((plan) => productOf(plan) !== null) : [];
}

export function paymentOrigins(): string[] {
  const access = creemAccess();
  return access ? [new URL(access.baseUrl).origin] : [];
}

/** Source: docs.creem.io/features/checkout */
const hostedOrigins = ['https://checkout.creem.io', 'https://creem.io', 'https://www.creem.io'];

export function checkoutOrigins(): string[] {
  const access = creemAccess();
  if (!access || (onSale().length === 0 && !config().CREEM_PACKS)) return [];
  const { origin, hostname } = new URL(access.baseUrl);
  return /(^|\.)creem\.io$/.test(hostname) ? hostedOrigins : [...hostedOrigins, origin];
}
