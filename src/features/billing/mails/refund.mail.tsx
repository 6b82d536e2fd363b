import { formatMoney } from '#features/credits/contract.ts';
import { m } from '#messages';
import { renderMail } from '#platform/mail/render-mail.tsx';
import { type MailFacts, type MailLinks, mailPlan } from './mail-content.ts';

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
    button: { label: m.mail_open_dashboard(), link: dashboard },
    fine: m.mail_refund_fine({ email: supportEmail }),
  });
}
