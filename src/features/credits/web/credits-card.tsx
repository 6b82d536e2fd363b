import { openSignIn } from '../../../client/page-events.ts';
import type { Me } from '../../accounts/contract.ts';
import { inCredits, planLimits, welcomeCredits } from '../contract.ts';
import './credits-card.css';

interface CreditsCardProps {
  me: Me | null;
  /** What a press costs, in a few words: '1 image = 5 credits'; null for a tool that credits do not buy. */
  price: string | null;
  /** The way to Pro. */
  onUpgrade: () => void;
}

const included = 'This tool is included in Pro.';

/** Who is signed in, what they have left and what the tool costs them. */
export function CreditsCard({ me, price, onUpgrade }: CreditsCardProps) {
  if (!me)
    return (
      <section className="credits-card" aria-label="Credits">
        <p>
          <strong>Not signed in.</strong>{' '}
          {price === null ? included : `${price}. You start with ${inCredits(welcomeCredits)}.`}
        </p>
        <button type="button" className="btn btn-secondary" onClick={() => openSignIn()}>
          Sign In
        </button>
      </section>
    );
  const unlimited = planLimits[me.plan].unlimited;
  return (
    <section className="credits-card" aria-label="Credits">
      <p>
        Signed in as <strong>{me.name}</strong>.{' '}
        {unlimited
          ? 'Unlimited with Pro.'
          : `${inCredits(me.credits)} left. ${price === null ? included : `${price}.`}`}
      </p>
      {unlimited ? null : (
        <button type="button" className="btn btn-secondary" onClick={onUpgrade}>
          Go Pro
        </button>
      )}
    </section>
  );
}
