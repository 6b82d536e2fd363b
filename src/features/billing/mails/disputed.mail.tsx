import { letter } from '../../../platform/mail/letter.tsx';
import { type MailFacts, type MailPlaces, mailMoney, mailPlan } from './contract.ts';

/** Says that a bank disputes a payment, and whether the person has Pro still. */
export function disputedMail(
  { plan, amountCents, currency, ended }: MailFacts<'disputed'>,
  { brand, dashboard, supportEmail, provider }: MailPlaces,
) {
  const amount = mailMoney(amountCents, currency);
  return letter({
    title: `Your payment for ${brand} Pro is disputed`,
    opening: `Your bank has disputed your payment of ${amount} to ${provider}, the payment provider.`,
    facts: [
      ['Plan', mailPlan(plan)],
      ['Disputed', amount],
      ['Pro', ended ? 'off until this is settled' : 'continues'],
    ],
    paragraphs: [
      ...(ended ? ['Nothing more will be charged for this plan. Everything that you made stays.'] : []),
      'Your bank and the payment provider settle this between them, which can take some weeks. If it is a mistake, ask your bank to withdraw the dispute.',
    ],
    button: { label: 'Open the dashboard', link: dashboard },
    fine: `Not your doing? Write to ${supportEmail}.`,
  });
}
