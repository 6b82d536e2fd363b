import { letter } from '../../../platform/mail/letter.tsx';
import { planButtons } from '../contract.ts';
import { type MailFacts, type MailPlaces, mailPlan, mailTime } from './contract.ts';

/** Says that a renewal was not paid, and what happens when. */
export function paymentFailedMail(
  { plan, accessUntil }: MailFacts<'payment_failed'>,
  { brand, dashboard, supportEmail, provider }: MailPlaces,
) {
  return letter({
    title: `The payment for ${brand} Pro did not go through`,
    opening: accessUntil
      ? `Your plan could not be renewed. Pro stays open until ${mailTime(accessUntil)}.`
      : 'Your plan could not be renewed, and Pro has ended.',
    facts: [
      ['Plan', mailPlan(plan)],
      ['Pro until', accessUntil ? mailTime(accessUntil) : 'ended'],
    ],
    paragraphs: [
      `${provider}, the payment provider, tries again in the next days. To settle it now, press ${planButtons.portal} on your dashboard and put in another card.`,
      `Without a payment ${accessUntil ? 'by then ' : ''}your account is on the free plan. Everything that you made stays, and Pro is back as soon as a payment arrives.`,
    ],
    button: { label: 'Open the dashboard', link: dashboard },
    fine: `If you want no renewal, press ${planButtons.cancel} there. Questions: ${supportEmail}.`,
  });
}
