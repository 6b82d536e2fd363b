import { openSignIn } from '#client/page-events.ts';
import type { Me } from '#features/accounts/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { formatCredits, planLimits, welcomeCredits } from '../contract.ts';

interface CreditsCardProps {
  me: Me | null;
  /** '1 image = 5 credits'; null for a tool that credits cannot buy. */
  price: string | null;
  onUpgrade: () => void;
}

const strong = (text: string) => <strong>{text}</strong>;

function status(me: Me | null, price: string | null) {
  if (!me)
    return price === null
      ? m.credits_guest_locked({ b: strong })
      : m.credits_guest({ b: strong, price, credits: formatCredits(welcomeCredits()) });
  const { name } = me;
  if (planLimits[me.plan].unlimited) return m.credits_user_unlimited({ b: strong, name });
  const credits = formatCredits(me.credits);
  return price === null
    ? m.credits_user_locked({ b: strong, name, credits })
    : m.credits_user({ b: strong, name, credits, price });
}

export function CreditsCard({ me, price, onUpgrade }: CreditsCardProps) {
  return (
    <section
      className="flex flex-wrap items-center justify-between gap-y-2 gap-x-4 py-3 px-0 border-y text-sm border-line"
      aria-label={m.credits_title()}
    >
      <p className="flex-[1_1_12rem] min-w-0 wrap-anywhere">{status(me, price)}</p>
      {me ? null : <Button onClick={() => openSignIn()}>{m.credits_sign_in()}</Button>}
      {me && !planLimits[me.plan].unlimited ? (
        <Button onClick={onUpgrade}>{m.upgrade_go_pro()}</Button>
      ) : null}
    </section>
  );
}
