import { m } from '#messages';
import { renderMail } from '#platform/mail/render-mail.tsx';
import { planButtons } from '../contract.ts';
import { type MailFacts, type MailLinks, mailPlan, mailTime } from './mail-content.ts';

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
    button: { label: m.mail_open_dashboard(), link: dashboard },
    fine: m.mail_failed_fine({ button: planButtons.cancel(), email: supportEmail }),
  });
}
