import { formatMoney } from '#features/credits/contract.ts';
import { locale, m } from '#messages';
import { renderMail } from '#platform/mail/render-mail.tsx';
import { planButtons } from '../contract.ts';
import {
  dashboardButton,
  type MailFacts,
  type MailLinks,
  mailDay,
  mailPlan,
  mailTime,
} from './mail-content.ts';

export function receiptMail(facts: MailFacts<'receipt'>, links: MailLinks) {
  const { plan, amountCents, currency, periodStart, periodEnd, renewsAt, moneyBackUntil } = facts;
  const { brand, dashboard, supportEmail, provider } = links;
  const end = mailDay(periodEnd);
  return renderMail({
    title: m.mail_payment_title({ brand }),
    opening: m.mail_payment_opening({ day: end }),
    facts: [
      [m.mail_fact_plan(), mailPlan(plan)],
      [m.payments_paid(), formatMoney(amountCents, currency)],
      [m.mail_fact_period(), m.mail_period({ start: mailDay(periodStart), end })],
      [m.plan_fact_next_renewal(), renewsAt ? mailDay(renewsAt) : m.mail_payment_no_renewal()],
    ],
    paragraphs: [
      ...(renewsAt ? [m.mail_payment_cancel({ button: planButtons.cancel() })] : []),
      ...(moneyBackUntil ? [m.mail_payment_refund({ day: mailDay(moneyBackUntil) })] : []),
      m.mail_payment_invoice({ provider, button: planButtons.portal() }),
    ],
    button: dashboardButton(dashboard),
    finePrint: m.mail_payment_fine({ email: supportEmail }),
  });
}

export function paymentFailedMail(
  { plan, accessUntil }: MailFacts<'payment_failed'>,
  { brand, dashboard, supportEmail, provider }: MailLinks,
) {
  const when = accessUntil && mailTime(accessUntil);
  return renderMail({
    title: m.mail_failed_title({ brand }),
    opening: when ? m.mail_failed_until({ when }) : m.mail_failed_ended(),
    facts: [
      [m.mail_fact_plan(), mailPlan(plan)],
      [m.mail_fact_pro_until(), when ?? m.mail_pro_ended()],
    ],
    paragraphs: [
      m.mail_failed_retry({ provider, button: planButtons.portal() }),
      when ? m.mail_failed_by_then() : m.mail_failed_without(),
    ],
    button: dashboardButton(dashboard),
    finePrint: m.mail_failed_fine({ button: planButtons.cancel(), email: supportEmail }),
  });
}

export function cancelledMail(
  { plan, endsAt, resumable }: MailFacts<'cancelled'>,
  { brand, dashboard, supportEmail }: MailLinks,
) {
  const when = endsAt && mailTime(endsAt);
  return renderMail({
    title: m.mail_cancelled_title({ brand }),
    opening: when ? m.mail_cancelled_until({ when }) : m.mail_cancelled_ended(),
    facts: [
      [m.mail_fact_plan(), mailPlan(plan)],
      [m.mail_fact_ends(), when ?? m.mail_pro_ended()],
    ],
    paragraphs: [
      m.mail_cancelled_then(),
      ...(when && resumable ? [m.mail_cancelled_resume({ button: planButtons.resume() })] : []),
    ],
    button: dashboardButton(dashboard),
    finePrint: m.mail_cancelled_fine({ email: supportEmail }),
  });
}

export function resumedMail(
  { plan, priceCents, renewsAt }: MailFacts<'resumed'>,
  { brand, dashboard, supportEmail }: MailLinks,
) {
  const price = formatMoney(priceCents, 'USD');
  const day = renewsAt && mailDay(renewsAt);
  return renderMail({
    title: m.mail_resumed_title({ brand }),
    opening: day ? m.mail_resumed_opening_day({ day, price }) : m.mail_resumed_opening({ price }),
    facts: [
      [m.mail_fact_plan(), mailPlan(plan)],
      [m.plan_fact_next_renewal(), day ? m.mail_renewal_day_price({ day, price }) : price],
    ],
    paragraphs: [m.mail_resumed_cancel({ button: planButtons.cancel() })],
    button: dashboardButton(dashboard),
    finePrint: m.mail_resumed_fine({ email: supportEmail }),
  });
}

export function endedMail(
  { plan, endedAt, cancelled, mayCharge }: MailFacts<'ended'>,
  { brand, dashboard, supportEmail, provider }: MailLinks,
) {
  const when = mailTime(endedAt);
  return renderMail({
    title: m.mail_ended_title({ brand }),
    opening: cancelled ? m.mail_ended_cancelled({ when }) : m.mail_ended_lapsed({ when }),
    facts: [
      [m.mail_fact_plan(), mailPlan(plan)],
      [m.mail_fact_ended(), when],
    ],
    paragraphs: [
      m.mail_ended_free(),
      mayCharge ? m.mail_ended_may_charge({ provider, button: planButtons.cancel() }) : m.mail_ended_again(),
    ],
    button: dashboardButton(dashboard),
    finePrint: m.mail_questions({ email: supportEmail }),
  });
}

export function refundMail(
  { plan, amountCents, currency, ended }: MailFacts<'refund'>,
  { brand, dashboard, supportEmail, provider }: MailLinks,
) {
  const amount = formatMoney(amountCents, currency);
  const pro = ended ? m.mail_pro_ended() : m.mail_pro_continues();
  return renderMail({
    title: m.mail_refund_title({ brand }),
    opening: m.mail_refund_opening({ provider, amount }),
    facts: [
      [m.mail_fact_plan(), mailPlan(plan)],
      [m.plan_state_refunded(), amount],
      ...(ended === null ? [] : [[m.mail_fact_pro(), pro] as const]),
    ],
    paragraphs: [m.mail_refund_way(), ...(ended ? [m.mail_work_stays()] : [])],
    button: dashboardButton(dashboard),
    finePrint: m.mail_refund_fine({ email: supportEmail }),
  });
}

export function disputedMail(
  { plan, amountCents, currency, ended }: MailFacts<'disputed'>,
  { brand, dashboard, supportEmail, provider }: MailLinks,
) {
  const amount = formatMoney(amountCents, currency);
  return renderMail({
    title: m.mail_disputed_title({ brand }),
    opening: m.mail_disputed_opening({ amount, provider }),
    facts: [
      [m.mail_fact_plan(), mailPlan(plan)],
      [m.plan_state_disputed(), amount],
      [m.mail_fact_pro(), ended ? m.mail_disputed_off() : m.mail_pro_continues()],
    ],
    paragraphs: [...(ended ? [m.mail_disputed_nothing()] : []), m.mail_disputed_settle({ provider })],
    button: dashboardButton(dashboard),
    finePrint: m.mail_disputed_fine({ email: supportEmail }),
  });
}

/** For example: Pro, 1 year, $69.99, renews on November 21, 2027. */
function planFacts({ plan, priceCents, renewsAt, backUntil }: MailFacts<'two_plans'>['plans'][number]) {
  const facts = [
    mailPlan(plan),
    formatMoney(priceCents, 'USD'),
    ...(renewsAt ? [m.mail_two_plans_renews({ day: mailDay(renewsAt) })] : []),
    ...(backUntil ? [m.mail_two_plans_refund_until({ day: mailDay(backUntil) })] : []),
  ];
  return new Intl.ListFormat(locale(), { type: 'unit', style: 'short' }).format(facts);
}

export function twoPlansMail(
  { plans }: MailFacts<'two_plans'>,
  { brand, dashboard, supportEmail }: MailLinks,
) {
  const count = plans.length;
  const refundable = plans.some(({ backUntil }) => backUntil);
  return renderMail({
    title: m.mail_two_plans_title({ count, brand }),
    opening: m.mail_two_plans_opening({ count }),
    facts: plans.map((each, index) => [m.mail_two_plans_number({ number: index + 1 }), planFacts(each)]),
    paragraphs: [
      refundable ? m.mail_two_plans_one_press() : m.mail_two_plans_cancel({ button: planButtons.cancel() }),
      m.mail_two_plans_stay(),
    ],
    button: dashboardButton(dashboard),
    finePrint: m.mail_two_plans_fine({ email: supportEmail }),
  });
}
