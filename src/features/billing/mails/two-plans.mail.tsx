import { letter } from '../../../platform/mail/letter.tsx';
import { planButtons } from '../contract.ts';
import { type MailFacts, type MailPlaces, mailDay, mailMoney, mailPlan } from './contract.ts';

/** Warns that more than one plan renews, and says how one of them ends. */
export function twoPlansMail(
  { plans }: MailFacts<'two_plans'>,
  { brand, dashboard, supportEmail }: MailPlaces,
) {
  const refundable = plans.some(({ backUntil }) => backUntil);
  return letter({
    title: `You pay for ${plans.length} ${brand} plans`,
    opening: `You have ${plans.length} Pro plans, and all of them renew. You only need one: they include the same things.`,
    facts: plans.map(({ plan, priceCents, renewsAt, backUntil }, index): [string, string] => [
      `Plan ${index + 1}`,
      [
        mailPlan(plan),
        mailMoney(priceCents, 'USD'),
        ...(renewsAt ? [`renews on ${mailDay(renewsAt)}`] : []),
        ...(backUntil ? [`refund until ${mailDay(backUntil)}`] : []),
      ].join(', '),
    ]),
    paragraphs: [
      refundable
        ? 'In your dashboard, one press ends the plan that you don’t want. Where a refund date stands above, its payment comes back to you; otherwise it ends with its period.'
        : `In your dashboard, press ${planButtons.cancel} beside the plan that you don’t want. It ends with its period.`,
      'You stay on Pro with the plan that you keep.',
    ],
    button: { label: 'Open the dashboard', link: dashboard },
    fine: `If you want to keep them, you don’t need to do anything. Questions: ${supportEmail}.`,
  });
}
