import { z } from 'zod';

const time = z.iso.datetime();
const plan = z.enum(['monthly', 'quarterly', 'yearly']);
const cents = z.int().describe('Hundredths of the currency');

/** `billing` of export.json: plans, and what was paid for them. */
export const billingSchema = z.object({
  subscriptions: z.array(
    z.object({
      id: z.uuid(),
      provider: z.string(),
      providerId: z.string(),
      customerId: z.string().describe('You, at the payment provider'),
      plan,
      status: z.string().describe('The word of the payment provider'),
      periodStart: time.nullable(),
      periodEnd: time.nullable(),
      canceledAt: time.nullable(),
      accessUntil: time.nullable().describe('Until when Pro is open by it'),
      createdAt: time,
    }),
  ),
  payments: z.array(
    z.object({
      id: z.uuid(),
      subscriptionId: z.uuid(),
      provider: z.string(),
      providerId: z.string(),
      plan,
      amountCents: cents,
      refundedCents: cents,
      currency: z.string(),
      disputed: z.boolean(),
      periodStart: time,
      periodEnd: time,
      paidAt: time,
    }),
  ),
  refunds: z.array(
    z.object({
      id: z.uuid(),
      paymentId: z.uuid(),
      amountCents: cents,
      state: z.string(),
      askedBy: z.enum(['person', 'operator', 'provider']),
      reason: z.string(),
      createdAt: time,
      settledAt: time.nullable(),
    }),
  ),
  checkouts: z.array(
    z.object({
      id: z.uuid(),
      plan,
      provider: z.string(),
      providerId: z.string().nullable(),
      state: z.string(),
      createdAt: time,
      closedAt: time.nullable(),
    }),
  ),
  planChanges: z.array(z.object({ from: z.string(), to: z.string(), cause: z.string(), createdAt: time })),
  operatorActions: z
    .array(z.object({ action: z.string(), reason: z.string(), createdAt: time }))
    .describe('What we did about your plan or credits by hand'),
  mails: z.array(
    z.object({ kind: z.string(), facts: z.unknown(), createdAt: time, sentAt: time.nullable() }),
  ),
  events: z
    .array(
      z.object({
        eventId: z.string(),
        type: z.string(),
        occurredAt: time,
        outcome: z.string(),
        payload: z.unknown().describe('As it came; null for one that came twice'),
      }),
    )
    .describe('What the payment provider told us of you'),
});

export type ExportedBilling = z.infer<typeof billingSchema>;
