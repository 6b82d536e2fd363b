import { letter } from '../../../platform/mail/letter.tsx';
import { planButtons } from '../contract.ts';
import { type MailFacts, type MailPlaces, mailPlan, mailTime } from './contract.ts';

/** Confirms that a plan was cancelled, with the date on which it ends. */
export function cancelledMail(
  { plan, endsAt, resumable }: MailFacts<'cancelled'>,
  { brand, dashboard, supportEmail }: MailPlaces,
) {
  return letter({
    title: `Your ${brand} Pro was cancelled`,
    opening: endsAt
      ? `Nothing more will be charged. Pro stays open until ${mailTime(endsAt)}.`
      : 'Nothing more will be charged, and Pro has ended.',
    facts: [
      ['Plan', mailPlan(plan)],
      ['Ends', endsAt ? mailTime(endsAt) : 'ended'],
    ],
    paragraphs: [
      'After that your account is on the free plan. Everything that you made stays.',
      ...(endsAt && resumable
        ? [
            `If you change your mind before that, press ${planButtons.resume} on your dashboard: it renews as before.`,
          ]
        : []),
    ],
    button: { label: 'Open the dashboard', link: dashboard },
    fine: `If you did not cancel it, write to ${supportEmail}.`,
  });
}
