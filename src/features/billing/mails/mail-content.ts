import { z } from 'zod/mini';
import { planDurations } from '#features/credits/contract.ts';
import { locale, m } from '#messages';

const plan = z.enum(planDurations);
const time = z.iso.datetime();
const cents = z.int().check(z.nonnegative());
const currency = z.string().check(z.length(3));

/** Times are ISO, amounts cents of `currency`. */
export const mailFacts = {
  receipt: z.object({
    plan,
    amountCents: cents,
    currency,
    periodStart: time,
    periodEnd: time,
    renewsAt: z.nullable(time),
    moneyBackUntil: z.nullable(time),
  }),
  payment_failed: z.object({
    plan,
    /** End of Pro, grace included; null if it has ended. */
    accessUntil: z.nullable(time),
  }),
  cancelled: z.object({
    plan,
    endsAt: z.nullable(time),
    resumable: z.boolean(),
  }),
  refund: z.object({
    plan,
    amountCents: cents,
    currency,
    /** Whether the refund ended Pro; null: the mail says nothing about Pro. */
    ended: z.nullable(z.boolean()),
  }),
  resumed: z.object({
    plan,
    priceCents: cents,
    renewsAt: z.nullable(time),
  }),
  ended: z.object({
    plan,
    endedAt: time,
    cancelled: z.boolean(),
    mayCharge: z.boolean(),
  }),
  disputed: z.object({
    plan,
    amountCents: cents,
    currency,
    ended: z.boolean(),
  }),
  credits_receipt: z.object({ credits: z.int(), amountCents: cents, currency }),
  /** `taken`: how many credits were unused and were taken back. */
  credits_refund: z.object({ credits: z.int(), taken: z.int(), amountCents: cents, currency }),
  credits_disputed: z.object({ credits: z.int(), taken: z.int(), amountCents: cents, currency }),
  two_plans: z.object({
    plans: z.array(
      z.object({
        plan,
        priceCents: cents,
        renewsAt: z.nullable(time),
        /** Until when it can be refunded because another plan renews; null if it cannot. */
        backUntil: z.nullable(time),
      }),
    ),
  }),
} as const;

export type MailKind = keyof typeof mailFacts;
export type MailFacts<K extends MailKind = MailKind> = z.infer<(typeof mailFacts)[K]>;

/** `key` names the occasion, so that its mail is written only once. */
export type BillingMail = {
  [K in MailKind]: { key: string; userId: string; kind: K; facts: MailFacts<K> };
}[MailKind];

export interface MailLinks {
  brand: string;
  dashboard: string;
  supportEmail: string;
  provider: string;
}

export const dashboardButton = (link: string) => ({ label: m.mail_open_dashboard(), link });

export const mailDay = (iso: string): string =>
  new Date(iso).toLocaleDateString(locale(), { dateStyle: 'long', timeZone: 'UTC' });

export const mailTime = (iso: string): string => m.mail_time({ day: mailDay(iso), time: iso.slice(11, 16) });

export const mailPlan = (plan: MailFacts<'receipt'>['plan']): string => m.mail_plan({ plan });
