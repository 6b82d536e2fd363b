import { z } from 'zod/mini';
import { planDurations, priceTable } from '../../credits/contract.ts';

const plan = z.enum(planDurations);
const time = z.iso.datetime();
const cents = z.int().check(z.nonnegative());
const currency = z.string().check(z.length(3));

/** What each mail about money tells. Times are ISO, amounts cents of `currency`. */
export const mailFacts = {
  /** A payment, the first as well as each renewal. */
  receipt: z.object({
    plan,
    amountCents: cents,
    currency,
    periodStart: time,
    periodEnd: time,
    /** null: it will not renew. */
    renewsAt: z.nullable(time),
    /** Until when a button gives the money back; null when it does not. */
    moneyBackUntil: z.nullable(time),
  }),
  /** A renewal that was not paid. */
  payment_failed: z.object({
    plan,
    /** Until when Pro stays, grace included; null when it has ended. */
    accessUntil: z.nullable(time),
  }),
  /** A cancellation; Pro stays until `endsAt`, null when it has ended. */
  cancelled: z.object({
    plan,
    endsAt: z.nullable(time),
    /** Whether it can be resumed until then. */
    resumable: z.boolean(),
  }),
  refund: z.object({
    plan,
    amountCents: cents,
    currency,
    /** Whether the person is without Pro by it; null: that is nothing to say of this refund. */
    ended: z.nullable(z.boolean()),
  }),
  /** A cancelled or paused plan that goes on. */
  resumed: z.object({
    plan,
    /** Of the next renewal. */
    priceCents: cents,
    /** null: not known. */
    renewsAt: z.nullable(time),
  }),
  /** A plan that is over by the clock. */
  ended: z.object({
    plan,
    endedAt: time,
    /** Whether it was cancelled; else a renewal was not paid. */
    cancelled: z.boolean(),
    /** Whether the provider may still try the card. */
    mayCharge: z.boolean(),
  }),
  disputed: z.object({
    plan,
    amountCents: cents,
    currency,
    /** Whether the person is without Pro by it. */
    ended: z.boolean(),
  }),
  /** Two or more plans that will be charged again, the one bought first before the others. */
  two_plans: z.object({
    plans: z.array(
      z.object({
        plan,
        priceCents: cents,
        renewsAt: z.nullable(time),
        /** Until when a button gives its money back while another one renews; null when it does not. */
        backUntil: z.nullable(time),
      }),
    ),
  }),
} as const;

export type MailKind = keyof typeof mailFacts;
export type MailFacts<K extends MailKind = MailKind> = z.infer<(typeof mailFacts)[K]>;

/** A mail with its facts. `key` names what it tells of, so that it is written once. */
export type BillingMail = {
  [K in MailKind]: { key: string; userId: string; kind: K; facts: MailFacts<K> };
}[MailKind];

/** Where the mails lead, and who we are. */
export interface MailPlaces {
  brand: string;
  dashboard: string;
  supportEmail: string;
  /** Who takes the money: the provider's name. */
  provider: string;
}

/** A day as the mails write it, in UTC: November 21, 2026. */
export const mailDay = (iso: string): string =>
  new Date(iso).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** A day with its time, for an end that is near: November 21, 2026, 14:05 UTC. */
export const mailTime = (iso: string): string => `${mailDay(iso)}, ${iso.slice(11, 16)} UTC`;

/** An amount in its currency: $19.99. */
export const mailMoney = (amountCents: number, unit: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: unit }).format(amountCents / 100);

/** A plan in words: Pro, 1 year. */
export const mailPlan = (duration: MailFacts<'receipt'>['plan']): string =>
  `Pro, ${priceTable[duration].period.toLowerCase()}`;
