import type { Me } from '../../../accounts/contract.ts';
import { featureTable, inCredits, planLimits, proPromise } from '../../../credits/contract.ts';
import type { UpgradeReason } from '../../../credits/web/upgrade-dialog.tsx';
import type { RefusedAction, UpgradeCause } from '../state/chat-state.ts';
import { nextDayHere } from './next-day.ts';

const aMessage = inCredits(featureTable.chat.price);

const enoughFor = (credits: number) => {
  const messages = Math.floor(credits / featureTable.chat.price);
  return messages === 1 ? 'one more message' : `${messages} more messages`;
};

/** What became of what was refused. */
const outcomes: Record<RefusedAction, string> = {
  message: 'Your message was not sent. It is kept in the composer.',
  reply: 'No new reply was made. The one you have stays.',
};

/** What the upgrade dialog says, from the balance and the limits as the page knows them. */
export function reasonOf(
  { cause, refused = 'message' }: { cause: UpgradeCause; refused?: RefusedAction },
  me: Me,
  now: Date,
): UpgradeReason {
  const perDay = planLimits[me.plan].chatsPerDay;
  const left = me.chatsLeftToday ?? 0;
  const balance: UpgradeReason['facts'][number] = ['Your balance', inCredits(me.credits)];
  const price: UpgradeReason['facts'][number] = ['A message', aMessage];
  const renewal: UpgradeReason['facts'][number] = ['Free credits', 'are given once and do not renew'];
  switch (cause) {
    case 'credits':
      return {
        title: 'Your credits are used up',
        text: outcomes[refused],
        facts: [balance, price, renewal],
      };
    case 'low':
      return {
        title: `${inCredits(me.credits)} left`,
        text: `Enough for ${enoughFor(me.credits)}. A reply that fails gives its credit back.`,
        facts: [balance, price, renewal],
      };
    case 'daily':
      return {
        title: `You have started ${perDay ?? 0} conversations today`,
        text: `${outcomes[refused]} Chats that you have begun go on as before.`,
        facts: [['More from', `00:00 UTC, which is ${nextDayHere(now)}`], balance],
      };
    case 'asked':
      return {
        title: 'Upgrade to Pro',
        text: proPromise,
        facts: [
          balance,
          price,
          ...(perDay === null
            ? []
            : [['New conversations', `${left} of ${perDay} left today`] as UpgradeReason['facts'][number]]),
        ],
      };
  }
}
