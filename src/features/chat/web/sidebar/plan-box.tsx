import type { ReactNode } from 'react';
import type { Me } from '#features/accounts/contract.ts';
import { planLimits, welcomeCredits } from '#features/credits/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { fewCredits } from '../state/use-low-credits.ts';

interface PlanBoxProps {
  me: Me | null;
  onSignIn: () => void;
  onUpgrade: () => void;
}

interface PlanProps {
  label: string;
  warns?: boolean;
  button?: ReactNode;
  children: ReactNode;
}

function Plan({ label, warns, button, children }: PlanProps) {
  return (
    <div className="chat-plan flex items-center justify-between gap-3 px-2 py-1.5 text-xs">
      <div>
        <p className="text-2xs font-semibold tracking-[0.06em]">{label}</p>
        <p className={warns ? 'text-warning' : 'text-fg-muted'}>{children}</p>
      </div>
      {button}
    </div>
  );
}

export function PlanBox({ me, onSignIn, onUpgrade }: PlanBoxProps) {
  if (!me) {
    const button = (
      <Button look="primary" onClick={onSignIn}>
        {m.chat_sign_in()}
      </Button>
    );
    return (
      <Plan label={m.chat_plan_guest()} button={button}>
        {m.chat_plan_guest_offer({ credits: welcomeCredits })}
      </Plan>
    );
  }
  if (planLimits[me.plan].unlimited) return <Plan label={m.chat_plan_pro()}>{m.common_unlimited()}</Plan>;
  const { credits, chatsLeftToday: left } = me;
  return (
    <Plan
      label={m.chat_plan_free()}
      warns={credits <= fewCredits}
      button={<Button onClick={onUpgrade}>{m.upgrade_go_pro()}</Button>}
    >
      {m.chat_plan_credits({ credits })}
      {left === null ? null : <span className="block">{m.chat_plan_chats({ left })}</span>}
    </Plan>
  );
}
