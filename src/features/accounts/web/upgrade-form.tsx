import { ChoiceCards } from '../../../ui/choice-cards.tsx';
import {
  defaultDuration,
  type PlanDuration,
  planChoices,
  proPromise,
  thenPro,
} from '../../credits/contract.ts';

/** The right half of signing in: the choice of a plan, which comes back as `?plan=` of this page. */
export function UpgradeForm({ chosen, next }: { chosen: PlanDuration | null; next: string | null }) {
  return (
    <form className="card grid content-start gap-4" method="get" action="/sign-in">
      <h2 className="h3">Upgrade to Pro</h2>
      <p className="muted text-sm">{proPromise}</p>
      {next && !chosen ? <input type="hidden" name="next" value={next} /> : null}
      <ChoiceCards
        name="plan"
        legend="Duration of Pro"
        choices={planChoices}
        chosen={chosen ?? defaultDuration}
      />
      <button className="btn btn-mark btn-lg" type="submit">
        Sign In &amp; Subscribe
      </button>
      <p className="fine">{thenPro}</p>
    </form>
  );
}
