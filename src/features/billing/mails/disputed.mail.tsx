import { formatMoney } from '#features/credits/contract.ts';
import { m } from '#messages';
import { renderMail } from '#platform/mail/render-mail.tsx';
import { type MailFacts, type MailLinks, mailPlan } from './mail-content.ts';

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
    button: { label: m.mail_open_dashboard(), link: dashboard },
    fine: m.mail_disputed_fine({ email: supportEmail }),
  });
}
