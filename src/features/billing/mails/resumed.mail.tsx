import { formatMoney } from '#features/credits/contract.ts';
import { m } from '#messages';
import { renderMail } from '#platform/mail/render-mail.tsx';
import { planButtons } from '../contract.ts';
import { type MailFacts, type MailLinks, mailDay, mailPlan } from './mail-content.ts';

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
    button: { label: m.mail_open_dashboard(), link: dashboard },
    fine: m.mail_resumed_fine({ email: supportEmail }),
  });
}
