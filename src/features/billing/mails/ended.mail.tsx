import { m } from '#messages';
import { renderMail } from '#platform/mail/render-mail.tsx';
import { planButtons } from '../contract.ts';
import { type MailFacts, type MailLinks, mailPlan, mailTime } from './mail-content.ts';

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
    button: { label: m.mail_open_dashboard(), link: dashboard },
    fine: m.mail_questions({ email: supportEmail }),
  });
}
