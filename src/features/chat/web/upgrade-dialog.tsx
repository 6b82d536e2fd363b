import { useState } from 'react';
import type { Me } from '#features/accounts/contract.ts';
import { formatCredits, messagePrice, planLimits, proPromise } from '#features/credits/contract.ts';
import type { UpgradeReason } from '#features/credits/web/upgrade-dialog.tsx';
import UpgradeDialog from '#features/credits/web/upgrade-dialog.tsx';
import { locale, m } from '#messages';
import type { ChatProps } from './state/chat-controls.ts';
import type { RefusedAction, UpgradeCause } from './state/chat-state.ts';
import { chosenModel, comparedModel } from './state/chosen-model.ts';

const dayMs = 24 * 60 * 60 * 1000;

const nextDay = (now: Date) => new Date((Math.floor(now.getTime() / dayMs) + 1) * dayMs);

function inWords(ms: number): string {
  const format = new Intl.RelativeTimeFormat(locale());
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  return minutes < 60 ? format.format(minutes, 'minute') : format.format(Math.round(minutes / 60), 'hour');
}

export function nextResetText(now: Date, zone?: string): string {
  const next = nextDay(now);
  const time = new Intl.DateTimeFormat(locale(), { timeStyle: 'short', timeZone: zone }).format(next);
  return m.upgrade_resets({ time, wait: inWords(next.getTime() - now.getTime()) });
}

const outcomes: Record<RefusedAction, () => string> = {
  message: m.upgrade_not_sent,
  reply: m.upgrade_no_reply,
};

export function upgradeReason(
  { cause, refused = 'message' }: { cause: UpgradeCause; refused?: RefusedAction },
  me: Me,
  now: Date,
  price: number,
): UpgradeReason {
  const perDay = planLimits[me.plan].chatsPerDay;
  const left = me.chatsLeftToday ?? 0;
  const balance: UpgradeReason['facts'][number] = [m.upgrade_balance(), formatCredits(me.credits)];
  const message: UpgradeReason['facts'][number] = [m.upgrade_message(), formatCredits(price)];
  const renewal: UpgradeReason['facts'][number] = [m.upgrade_free_credits(), m.upgrade_once()];
  switch (cause) {
    case 'credits':
      return {
        title: me.credits > 0 ? m.upgrade_left({ count: me.credits }) : m.upgrade_used_up(),
        text: outcomes[refused](),
        facts: [balance, message, renewal],
        credits: true,
      };
    case 'low':
      return {
        title: m.upgrade_left({ count: me.credits }),
        text: m.upgrade_enough({ count: Math.floor(me.credits / price) }),
        facts: [message, renewal],
        credits: true,
      };
    case 'daily':
      return {
        title: m.upgrade_daily({ count: perDay ?? 0 }),
        text: m.upgrade_daily_text({ outcome: outcomes[refused]() }),
        facts: [[m.upgrade_daily_limit(), nextResetText(now)], balance],
      };
    case 'asked': {
      const chats: UpgradeReason['facts'] =
        perDay === null ? [] : [[m.upgrade_new_chats(), m.upgrade_new_chats_left({ left, count: perDay })]];
      return { title: m.upgrade_to_pro(), text: proPromise(), facts: [balance, message, ...chats] };
    }
  }
}

export default function ChatUpgradeDialog({ state, controls }: ChatProps) {
  const { me, dialog } = state;
  const [openedAt] = useState(() => new Date());
  if (!me || dialog?.kind !== 'upgrade') return null;
  const second = dialog.refused === 'reply' ? undefined : comparedModel(state);
  const price = messagePrice(chosenModel(state)?.model) + (second ? messagePrice(second) : 0);
  const reason = upgradeReason(dialog, me, openedAt, price);
  return <UpgradeDialog reason={reason} onClose={() => controls.show(null)} />;
}
