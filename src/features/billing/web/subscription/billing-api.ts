import { json, request } from '#client/api-request.ts';
import type { PlanDuration } from '#features/credits/contract.ts';
import type { BillingView, InvoicePage } from '../../contract.ts';

export const fetchBilling = (signal?: AbortSignal) => request<BillingView>('/api/subscription', { signal });
/** Makes the server read the provider, at most once every few seconds. */
export const refreshBilling = (signal?: AbortSignal) =>
  request<BillingView>('/api/subscription/refresh', { ...json('POST', {}), signal });
export const cancelPlan = (id: string) =>
  request<BillingView>('/api/subscription/cancel', json('POST', { id }));
export const resumePlan = (id: string, cents: number | null) =>
  request<BillingView>('/api/subscription/resume', json('POST', cents === null ? { id } : { id, cents }));
export const changePlan = (id: string, plan: PlanDuration) =>
  request<BillingView>('/api/subscription/change', json('POST', { id, plan }));
export const refundPlan = (id: string) =>
  request<BillingView>('/api/subscription/refund', json('POST', { id }));
export const openPortal = () => request<{ url: string }>('/api/billing-portal', json('POST', {}));
export const fetchInvoices = (before: string | null) =>
  request<InvoicePage>(`/api/invoices${before ? `?before=${before}` : ''}`);
