import { m } from '#messages';
import { renderMail } from '#platform/mail/render-mail.tsx';
import { planButtons } from '../contract.ts';
import { type MailFacts, type MailLinks, mailPlan, mailTime } from './mail-content.ts';

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
    button: { label: m.mail_open_dashboard(), link: dashboard },
    fine: m.mail_cancelled_fine({ email: supportEmail }),
  });
}
