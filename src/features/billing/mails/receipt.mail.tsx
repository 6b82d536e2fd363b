import { letter } from '../../../platform/mail/letter.tsx';
import { planButtons } from '../contract.ts';
import { type MailFacts, type MailPlaces, mailDay, mailMoney, mailPlan } from './contract.ts';

/** The receipt of a payment for Pro. */
export function receiptMail(facts: MailFacts<'receipt'>, places: MailPlaces) {
  const { plan, amountCents, currency, periodStart, periodEnd, renewsAt, moneyBackUntil } = facts;
  const { brand, dashboard, supportEmail, provider } = places;
  return letter({
    title: `Your payment for ${brand} Pro`,
    opening: `Thank you. Your payment arrived, and Pro is open until ${mailDay(periodEnd)}.`,
    facts: [
      ['Plan', mailPlan(plan)],
      ['Paid', mailMoney(amountCents, currency)],
      ['Period', `${mailDay(periodStart)} to ${mailDay(periodEnd)}`],
      ['Next renewal', renewsAt ? mailDay(renewsAt) : 'none, it ends with the period'],
    ],
    paragraphs: [
      ...(renewsAt
        ? [
            `To cancel, open your dashboard and press ${planButtons.cancel}: Pro then stays until the period ends.`,
          ]
        : []),
      ...(moneyBackUntil
        ? [
            `Until ${mailDay(moneyBackUntil)} you can have the whole payment back by a button there; Pro ends at once with it.`,
          ]
        : []),
      `This mail is no invoice. ${provider}, the payment provider, sells the plan and sends the invoice with the taxes in it; all invoices are behind ${planButtons.portal} on the dashboard.`,
    ],
    button: { label: 'Open the dashboard', link: dashboard },
    fine: `Something wrong with it? Write to ${supportEmail}.`,
  });
}
