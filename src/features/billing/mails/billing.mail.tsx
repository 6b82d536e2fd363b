import { formatMoney } from '#features/credits/contract.ts';
import { m } from '#messages';
import { renderMail } from '#platform/mail/render-mail.tsx';
import { planButtons } from '../contract.ts';
import { type MailFacts, type MailLinks, mailDay, mailPlan } from './mail-content.ts';

export function receiptMail(facts: MailFacts<'receipt'>, places: MailLinks) {
  const { plan, amountCents, currency, periodStart, periodEnd, renewsAt, moneyBackUntil } = facts;
  const { brand, dashboard, supportEmail, provider } = places;
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
    button: { label: m.mail_open_dashboard(), link: dashboard },
    fine: m.mail_payment_fine({ email: supportEmail }),
  });
}
