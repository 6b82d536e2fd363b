import { letter } from '../../../platform/mail/letter.tsx';
import { planButtons } from '../contract.ts';
import { type MailFacts, type MailPlaces, mailDay, mailMoney, mailPlan } from './contract.ts';

/** Warns that more than one plan renews, and says how one of them ends. */
export function twoPlansMail(
  { plans }: MailFacts<'two_plans'>,
  { brand, dashboard, supportEmail }: MailPlaces,
) {
  const back = plans.flatMap(({ backUntil }) => backUntil ?? []).toSorted();
  const until = back.at(-1);
  return letter({
    title: `You pay for ${plans.length} ${brand} plans`,
    opening: `You have ${plans.length} plans of Pro, and each renews. One is enough: they give the same.`,
    facts: plans.map(({ plan, priceCents, renewsAt }, index): [string, string] => [
      `Plan ${index + 1}`,
      `${mailPlan(plan)}, ${mailMoney(priceCents, 'USD')}${renewsAt ? `, renews on ${mailDay(renewsAt)}` : ''}`,
    ]),
    paragraphs: [
      until
        ? `Your dashboard shows each of them. One press there ends the plan that you do not want and gives its payment back, until ${mailDay(until)}. After that, press ${planButtons.cancel}: the plan ends with its period.`
        : `Your dashboard shows each of them. Press ${planButtons.cancel} at the plan that you do not want: it ends with its period.`,
      'You stay on Pro with the plan that you keep.',
    ],
    button: { label: 'Open the dashboard', link: dashboard },
    fine: `If you want to keep them, you don’t need to do anything. Questions: ${supportEmail}.`,
  });
}
