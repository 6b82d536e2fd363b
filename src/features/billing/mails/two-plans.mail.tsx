import { formatMoney } from '#features/credits/contract.ts';
import { locale, m } from '#messages';
import { renderMail } from '#platform/mail/render-mail.tsx';
import { planButtons } from '../contract.ts';
import { type MailFacts, type MailLinks, mailDay, mailPlan } from './mail-content.ts';

/** Pro, 1 year, $69.99, renews on November 21, 2027. */
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
    button: { label: m.mail_open_dashboard(), link: dashboard },
    fine: m.mail_two_plans_fine({ email: supportEmail }),
  });
}
