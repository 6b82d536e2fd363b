import { Check } from 'lucide-react';
import { type FormEvent, useId } from 'react';
import type { PackOffer } from '#features/billing/contract.ts';
import { PromotionLine } from '#features/billing/web/promotion-line.tsx';
import { useCheckout } from '#features/billing/web/use-checkout.ts';
import { useSale } from '#features/billing/web/use-sale.ts';
import { locale, m } from '#messages';
import { sentenceSeparator } from '#shared/join-sentences.ts';
import { Button } from '#ui/button.tsx';
import { ChoiceCards } from '#ui/choice-cards.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Notice } from '#ui/notice.tsx';
import {
  choicesOnSale,
  featureTable,
  formatCredits,
  formatMoney,
  isPlanDuration,
  noSaleText,
  saleTermsText,
  seller,
} from '../contract.ts';

export interface UpgradeReason {
  title: string;
  text: string;
  facts: [name: string, value: string][];
  /** Buying credits helps, so packs are offered too. */
  credits?: boolean;
}

interface UpgradeDialogProps {
  reason: UpgradeReason;
  onClose: () => void;
}

interface OffersProps extends Pick<ReturnType<typeof useCheckout>, 'busy' | 'start'> {
  form: string;
  packs: readonly PackOffer[];
}

function ProTicks() {
  const locked = Object.values(featureTable).flatMap(({ free, offered, page, name }) =>
    free || !offered || !page ? [] : [name],
  );
  const list = new Intl.ListFormat(locale(), { type: 'conjunction' }).format(locked);
  return (
    <ul className="grid gap-2">
      {[m.upgrade_tick_unlimited(), list, m.upgrade_tick_chats()].filter(Boolean).map((text) => (
        <li className="flex items-center gap-2" key={text}>
          <Check className="flex-none" size={16} strokeWidth={2} aria-hidden="true" />
          {text}
        </li>
      ))}
    </ul>
  );
}

function Packs({ packs }: Pick<OffersProps, 'packs'>) {
  const choices = packs.map(({ id, credits, priceCents, currency }) => ({
    value: id,
    title: formatCredits(credits),
    figure: formatMoney(priceCents, currency),
  }));
  return (
    <>
      <ChoiceCards
        name="offer"
        legend={m.packs_purchase()}
        choices={choices}
        chosen={choices[0]?.value ?? ''}
      />
      <p className="fine">{m.packs_rule()}</p>
    </>
  );
}

function Plans({ chosen: isDefault }: { chosen: boolean }) {
  const { durations, promotion } = useSale();
  const { choices, chosen } = choicesOnSale(durations);
  return (
    <>
      <ProTicks />
      {promotion ? <PromotionLine promotion={promotion} /> : null}
      <ChoiceCards
        name="offer"
        legend={m.upgrade_billing_period()}
        choices={choices.map((choice) => ({ ...choice, detail: undefined }))}
        chosen={isDefault ? chosen : ''}
      />
      <p className="fine">
        {saleTermsText()}
        {sentenceSeparator()}
        <a className="link" href="/pricing">
          {m.upgrade_compare()}
        </a>
      </p>
    </>
  );
}

/** One radio group of everything that is for sale. */
function Offers({ form, packs, busy, start }: OffersProps) {
  const { durations } = useSale();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const offer = new FormData(event.currentTarget).get('offer');
    if (busy) return;
    if (isPlanDuration(offer)) start({ plan: offer });
    else if (packs.some(({ id }) => id === offer)) start({ pack: String(offer) });
  };
  const plans = durations.length > 0;
  const both = packs.length > 0 && plans;
  return (
    <form id={form} className="grid gap-3" aria-labelledby={`${form}-title`} onSubmit={submit}>
      {packs.length > 0 ? <Packs packs={packs} /> : null}
      {plans ? (
        <h3
          className={both ? 'h4 border-t border-line pt-3 font-semibold' : 'visually-hidden'}
          id={`${form}-title`}
        >
          {both ? m.packs_or_pro() : m.plan_pro()}
        </h3>
      ) : null}
      {plans ? <Plans chosen={!both} /> : null}
    </form>
  );
}

export default function UpgradeDialog({ reason, onClose }: UpgradeDialogProps) {
  const { title, text, facts } = reason;
  const sale = useSale();
  const packs = reason.credits ? sale.packs : [];
  const { busy, failure, start } = useCheckout();
  const form = useId();
  const hasOffers = sale.durations.length > 0 || packs.length > 0;
  return (
    <Dialog title={title} className="w-[min(30rem,calc(100vw_-_2_*_var(--s-4)))]" onClose={onClose}>
      {(close) => (
        <>
          <div className="dialog-body grid gap-4 text-sm">
            <p>{text}</p>
            <dl className="grid grid-flow-col auto-cols-auto justify-between gap-4 py-2 border-y border-line">
              {facts.map(([name, value]) => (
                <div key={name}>
                  <dt className="text-xs text-fg-muted">{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            {hasOffers ? (
              <Offers form={form} packs={packs} busy={busy} start={start} />
            ) : (
              <Notice>{noSaleText()}</Notice>
            )}
            {failure ? <Notice kind="danger">{failure}</Notice> : null}
          </div>
          <div className="dialog-foot sticky bottom-0 border-t border-line bg-raised pt-3">
            <Button className="max-xs:hidden" size="lg" onClick={close}>
              {m.upgrade_not_now()}
            </Button>
            {hasOffers ? (
              <Button
                className="max-xs:flex-1"
                type="submit"
                form={form}
                variant="mark"
                size="lg"
                aria-busy={busy}
              >
                {m.billing_continue_at({ seller })}
              </Button>
            ) : null}
          </div>
        </>
      )}
    </Dialog>
  );
}
