import {
  checkoutText,
  choicesOnSale,
  noSaleText,
  type PlanDuration,
  proPromise,
} from '#features/credits/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { ChoiceCards } from '#ui/choice-cards.tsx';

interface UpgradeFormProps {
  onSale: readonly PlanDuration[];
  chosen: PlanDuration | null;
  next: string | null;
}

/** The choice returns as `?plan=` of the sign-in page. */
export function UpgradeForm({ onSale, chosen, next }: UpgradeFormProps) {
  const offer = choicesOnSale(onSale, chosen ?? undefined);
  if (offer.choices.length === 0)
    return (
      <section className="card grid content-start gap-4">
        <h2 className="h3">{m.upgrade_to_pro()}</h2>
        <p className="muted text-sm">{noSaleText()}</p>
      </section>
    );
  return (
    <form className="card grid content-start gap-4" method="get" action="/sign-in">
      <h2 className="h3">{m.upgrade_to_pro()}</h2>
      <p className="muted text-sm">{proPromise()}</p>
      {next && !chosen ? <input type="hidden" name="next" value={next} /> : null}
      <ChoiceCards
        name="plan"
        legend={m.upgrade_billing_period()}
        choices={offer.choices}
        chosen={offer.chosen}
      />
      <Button variant="mark" size="lg" type="submit">
        {m.upgrade_sign_in()}
      </Button>
      <p className="fine">{checkoutText()}</p>
    </form>
  );
}
