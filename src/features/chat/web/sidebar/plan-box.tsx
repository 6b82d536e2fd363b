import type { Me } from '../../../accounts/contract.ts';
import { planLimits, welcomeCredits } from '../../../credits/contract.ts';

interface PlanBoxProps {
  me: Me | null;
  onSignIn: () => void;
  onUpgrade: () => void;
}

function Guest({ onSignIn }: Pick<PlanBoxProps, 'onSignIn'>) {
  return (
    <div className="chat-plan">
      <p className="chat-plan-name">GUEST</p>
      <p className="muted">Sign in to chat. You start with {welcomeCredits} credits.</p>
      <button type="button" className="btn btn-secondary" onClick={onSignIn}>
        Sign In
      </button>
    </div>
  );
}

/** The box at the foot of the sidebar: GUEST, FREE PLAN with credits, or PRO PLAN. */
export function PlanBox({ me, onSignIn, onUpgrade }: PlanBoxProps) {
  if (!me) return <Guest onSignIn={onSignIn} />;
  if (planLimits[me.plan].unlimited) {
    return (
      <div className="chat-plan">
        <p className="chat-plan-head">
          <span className="chat-plan-name">PRO PLAN</span>
          <span>Unlimited</span>
        </p>
      </div>
    );
  }
  const { credits, chatsLeftToday: left } = me;
  return (
    <div className="chat-plan">
      <p className="chat-plan-head">
        <span className="chat-plan-name">FREE PLAN</span>
        <span>
          {credits} {credits === 1 ? 'credit' : 'credits'} left
        </span>
      </p>
      <progress
        className="meter"
        aria-hidden="true"
        max={welcomeCredits}
        value={Math.min(credits, welcomeCredits)}
      />
      <div className="chat-plan-foot">
        {left === null ? null : (
          <p className="muted">
            {left} new {left === 1 ? 'conversation' : 'conversations'} left today.
          </p>
        )}
        <button type="button" className="btn btn-secondary" onClick={onUpgrade}>
          Go Pro
        </button>
      </div>
    </div>
  );
}
