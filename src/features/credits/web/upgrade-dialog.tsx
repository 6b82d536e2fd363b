import { type FormEvent, useId } from 'react';
import { ChoiceCards } from '../../../ui/choice-cards.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { PromotionLine } from '../../billing/web/promotion-line.tsx';
import { useCheckout } from '../../billing/web/use-checkout.ts';
import { useSale } from '../../billing/web/use-sale.ts';
import { choicesAmong, isPlanDuration, noSale, proPromise, saleTerms, seller } from '../contract.ts';
import './upgrade.css';

/** What an upgrade dialog says: what happened, and what holds now, as pairs of a name and a value. */
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
  /** Id of the form, whose button stands elsewhere. */
  form: string;
  /** Whether what Pro is has to be said here. */
  promise: boolean;
}

/** The choice among the durations of Pro, and what buying means. Submitting it begins the checkout. */
function Plans({ form, promise, busy, begin }: PlansProps) {
  const { durations, promotion } = useSale();
  const { choices, chosen } = choicesAmong(durations);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const plan = new FormData(event.currentTarget).get('plan');
    if (isPlanDuration(plan) && !busy) begin(plan);
  };
  return (
    <form id={form} className="upgrade-plans" aria-labelledby={`${form}-title`} onSubmit={submit}>
      <h3 className="text-sm font-semibold" id={`${form}-title`}>
        Pro
      </h3>
      {promise ? <p className="muted">{proPromise}</p> : null}
      {promotion ? <PromotionLine promotion={promotion} /> : null}
      <ChoiceCards name="plan" legend="Duration of Pro" choices={choices} chosen={chosen} />
      <p className="fine">
        {saleTerms}{' '}
        <a className="link" href="/pricing">
          Compare the plans
        </a>
      </p>
    </form>
  );
}

/** What Pro is, when a limit is met or near: what happened, what holds now, and the way past it all. */
export default function UpgradeDialog({ reason: { title, text, facts }, onClose }: UpgradeDialogProps) {
  const { durations } = useSale();
  const { busy, failure, begin } = useCheckout();
  const form = useId();
  const sold = durations.length > 0;
  return (
    <Modal title={title} className="upgrade" onClose={onClose}>
      {(close) => (
        <>
          <div className="dialog-body upgrade-body">
            <p>{text}</p>
            <dl className="upgrade-facts">
              {facts.map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            {sold ? (
              <Plans form={form} promise={text !== proPromise} busy={busy} begin={begin} />
            ) : (
              <p className="notice">{noSale}</p>
            )}
            {failure ? (
              <p className="notice notice-danger" role="alert">
                {failure}
              </p>
            ) : null}
          </div>
          <div className="dialog-foot">
            <button type="button" className="btn btn-secondary btn-lg" onClick={close}>
              Not now
            </button>
            {sold ? (
              <button type="submit" form={form} className="btn btn-mark btn-lg" aria-busy={busy}>
                Continue to checkout at {seller}
              </button>
            ) : null}
          </div>
        </>
      )}
    </Modal>
  );
}
