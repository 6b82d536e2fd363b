import { letter } from '../../../platform/mail/letter.tsx';
import { type MailFacts, type MailPlaces, mailMoney, mailPlan } from './contract.ts';

/** Says that money was given back, and whether the person has Pro still. */
export function refundMail(
  { plan, amountCents, currency, ended }: MailFacts<'refund'>,
  { brand, dashboard, supportEmail, provider }: MailPlaces,
) {
  const amount = mailMoney(amountCents, currency);
  return letter({
    title: `Your refund from ${brand}`,
    opening: `${amount} was given back by ${provider}, the payment provider.`,
    facts: [
      ['Plan', mailPlan(plan)],
      ['Refunded', amount],
      ...(ended === null ? [] : [['Pro', ended ? 'ended' : 'continues'] as [string, string]]),
    ],
    paragraphs: [
      'The money goes where the payment came from. Banks can take some days until they show it.',
      ...(ended ? ['Everything that you made stays.'] : []),
    ],
    button: { label: 'Open the dashboard', link: dashboard },
    fine: `If it has not arrived after two weeks, write to ${supportEmail}.`,
  });
}
