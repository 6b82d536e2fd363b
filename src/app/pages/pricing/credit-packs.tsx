import type { PackOffer } from '#features/billing/contract.ts';
import { formatCredits, formatMoney, planLimits } from '#features/credits/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { EnhancedSlot } from '../../shell/enhanced-slot.tsx';
import type { OwnPlan } from './pricing-data.server.ts';

export interface PackAttempt {
  pack: string;
  failed: string;
}

interface PackProps {
  pack: PackOffer;
  guest: boolean;
  failed: string | undefined;
}

function Buy({ pack: { id, credits }, guest, failed }: PackProps) {
  if (guest)
    return (
      <Button className="w-full whitespace-normal" href="/sign-in?next=%2Fpricing">
        {m.packs_sign_in()}
      </Button>
    );
  return (
    <form className="grid gap-2" method="post" action="/pricing" data-checkout="">
      <input type="hidden" name="pack" value={id} />
      <EnhancedSlot as="p" data-failed="" role="alert" className="notice notice-danger" text={failed} />
      <Button className="w-full whitespace-normal" type="submit">
        {m.packs_buy({ credits: formatCredits(credits) })}
      </Button>
    </form>
  );
}

interface CreditPacksProps {
  own: OwnPlan | null;
  packs: readonly PackOffer[];
  attempt: PackAttempt | null;
}

export function CreditPacks({ own, packs, attempt }: CreditPacksProps) {
  if (packs.length === 0) return null;
  const unlimited = own !== null && planLimits[own.plan].unlimited;
  return (
    <section className="grid gap-6 pt-24 max-md:pt-16" id="packs" aria-labelledby="packs-title">
      <div className="grid gap-2">
        <h2 className="h2" id="packs-title">
          {m.packs_title()}
        </h2>
        <p className="muted max-w-160">{m.packs_rule()}</p>
      </div>
      <ul className="grid gap-4 grid-cols-[repeat(auto-fill,minmax(min(16rem,100%),1fr))]">
        {packs.map((pack) => (
          <li
            className="grid gap-4 content-between p-6 border rounded-lg bg-surface border-line"
            key={pack.id}
          >
            <div>
              <h3 className="h3">{formatCredits(pack.credits)}</h3>
              <p className="price">
                {formatMoney(pack.priceCents, pack.currency)} <small>{m.packs_once()}</small>
              </p>
            </div>
            {unlimited ? null : (
              <Buy
                pack={pack}
                guest={own === null}
                failed={attempt?.pack === pack.id ? attempt.failed : undefined}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
