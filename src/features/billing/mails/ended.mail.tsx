import { letter } from '../../../platform/mail/letter.tsx';
import { planButtons } from '../contract.ts';
import { type MailFacts, type MailPlaces, mailPlan, mailTime } from './contract.ts';

/** Says that a plan is over, why, and whether the card may still be charged. */
export function endedMail(
  { plan, endedAt, cancelled, mayCharge }: MailFacts<'ended'>,
  { brand, dashboard, supportEmail, provider }: MailPlaces,
) {
  const at = mailTime(endedAt);
  return letter({
    title: `Your ${brand} Pro has ended`,
    opening: cancelled
      ? `Your plan was cancelled, and Pro ended on ${at}. Nothing more will be charged.`
      : `Your plan was not renewed, and Pro ended on ${at}.`,
    facts: [
      ['Plan', mailPlan(plan)],
      ['Ended', at],
    ],
    paragraphs: [
      'Your account is on the free plan now. Everything that you made stays.',
      mayCharge
        ? `${provider}, the payment provider, may still try your card, and Pro comes back with the payment. If you do not want that, press ${planButtons.cancel} on your dashboard.`
        : 'If you want Pro again, you can choose a plan from your dashboard.',
    ],
    button: { label: 'Open the dashboard', link: dashboard },
    fine: `Questions: ${supportEmail}.`,
  });
}
