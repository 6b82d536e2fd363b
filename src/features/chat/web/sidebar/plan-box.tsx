import type { Me } from '../../../accounts/contract.ts';
import { planLimits, welcomeCredits } from '../../../credits/contract.ts';

function planText(me: Me): string {
  if (planLimits[me.plan].unlimited) return 'Unlimited';
  return `${me.credits} ${me.credits === 1 ? 'credit' : 'credits'} left`;
}

/** The box at the foot of the sidebar: GUEST, FREE PLAN with credits, or PRO PLAN. */
export function PlanBox({ me, onSignIn }: { me: Me | null; onSignIn: () => void }) {
  if (!me) {
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
  const left = me.chatsLeftToday;
  return (
    <div className="chat-plan">
      <p className="chat-plan-head">
        <span className="chat-plan-name">{planLimits[me.plan].unlimited ? 'PRO PLAN' : 'FREE PLAN'}</span>
        <span>{planText(me)}</span>
      </p>
      {left === null ? null : (
        <p className="muted">
          {left} new {left === 1 ? 'conversation' : 'conversations'} left today.
        </p>
      )}
    </div>
  );
}
