import { Check } from 'lucide-react';
import { type FormEvent, useId } from 'react';
import { PromotionLine } from '#features/billing/web/promotion-line.tsx';
import { useCheckout } from '#features/billing/web/use-checkout.ts';
import { useSale } from '#features/billing/web/use-sale.ts';
import { locale, m } from '#messages';
import { sentenceGap } from '#shared/join-sentences.ts';
import { Button } from '#ui/button.tsx';
import { ChoiceCards } from '#ui/choice-cards.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Notice } from '#ui/notice.tsx';
import { choicesAmong, featureTable, isPlanDuration, noSale, saleTerms, seller } from '../contract.ts';

export interface UpgradeReason {
  title: string;
  text: string;
  facts: [name: string, value: string][];
}

interface UpgradeDialogProps {
  reason: UpgradeReason;
  onClose: () => void;
}

interface PlansProps extends Pick<ReturnType<typeof useCheckout>, 'busy' | 'begin'> {
  form: string;
}

function ProTicks() {
  const locked = Object.values(featureTable).flatMap(({ free, page, name }) => (free || !page ? [] : [name]));
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

function Plans({ form, busy, begin }: PlansProps) {
  const { durations, promotion } = useSale();
  const { choices, chosen } = choicesAmong(durations);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const plan = new FormData(event.currentTarget).get('plan');
    if (isPlanDuration(plan) && !busy) begin(plan);
  };
  return (
    <form id={form} className="grid gap-3" aria-labelledby={`${form}-title`} onSubmit={submit}>
      <h3 className="visually-hidden" id={`${form}-title`}>
        {m.plan_pro()}
      </h3>
      <ProTicks />
      {promotion ? <PromotionLine promotion={promotion} /> : null}
      <ChoiceCards
        name="plan"
        legend={m.upgrade_billing_period()}
        choices={choices.map((choice) => ({ ...choice, detail: undefined }))}
        chosen={chosen}
      />
      <p className="fine">
        {saleTerms()}
        {sentenceGap()}
        <a className="link" href="/pricing">
          {m.upgrade_compare()}
        </a>
      </p>
    </form>
  );
}

export default function UpgradeDialog({ reason: { title, text, facts }, onClose }: UpgradeDialogProps) {
  const { durations } = useSale();
  const { busy, failure, begin } = useCheckout();
  const form = useId();
  const sold = durations.length > 0;
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
            {sold ? <Plans form={form} busy={busy} begin={begin} /> : <Notice>{noSale()}</Notice>}
            {failure ? <Notice kind="danger">{failure}</Notice> : null}
          </div>
          <div className="dialog-foot">
            <Button className="max-xs:hidden" size="lg" onClick={close}>
              {m.upgrade_not_now()}
            </Button>
            {sold ? (
              <Button
                className="max-xs:flex-1"
                type="submit"
                form={form}
                look="mark"
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
