import { letter } from '../../../platform/mail/letter.tsx';
import { planButtons } from '../contract.ts';
import { type MailFacts, type MailPlaces, mailDay, mailMoney, mailPlan } from './contract.ts';

/** Confirms that a cancelled or paused plan goes on, with the next charge. */
export function resumedMail(
  { plan, priceCents, renewsAt }: MailFacts<'resumed'>,
  { brand, dashboard, supportEmail }: MailPlaces,
) {
  const price = mailMoney(priceCents, 'USD');
  return letter({
    title: `Your ${brand} Pro plan continues`,
    opening: renewsAt
      ? `Your plan was resumed. It renews on ${mailDay(renewsAt)} for ${price}.`
      : `Your plan was resumed. It renews for ${price}.`,
    facts: [
      ['Plan', mailPlan(plan)],
      ['Next renewal', renewsAt ? `${mailDay(renewsAt)}, ${price}` : price],
    ],
    paragraphs: [
      `To cancel it again, open your dashboard and press ${planButtons.cancel}: Pro then stays until the period ends.`,
    ],
    button: { label: 'Open the dashboard', link: dashboard },
    fine: `If you did not resume it, write to ${supportEmail}.`,
  });
}
