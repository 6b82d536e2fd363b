import { type ReactNode, useState } from 'react';
import { ChoiceCards } from '../../../../ui/choice-cards.tsx';
import { LocalTime } from '../../../../ui/local-time.tsx';
import { Modal } from '../../../../ui/modal.tsx';
import {
  isPlanDuration,
  money,
  planChoices,
  priceTable,
  proPromise,
  seller,
} from '../../../credits/contract.ts';
import { planButtons, type SubscriptionView } from '../../contract.ts';
import type { Changing } from './use-change.ts';
import { amount, day, proFor } from './words.ts';

interface StepProps {
  title: string;
  changing: Changing;
  /** Button that goes on, and the one that leaves everything as it is. */
  confirm: string;
  keep: string;
  danger?: boolean;
  children: ReactNode;
  /** Makes the change; true when it is made. */
  onConfirm: () => Promise<boolean>;
  onClose: () => void;
}

/** The second step of a change: what it means, and the button that makes it. */
function Step({ title, changing, confirm, keep, danger = false, children, onConfirm, onClose }: StepProps) {
  const { busy, error } = changing;
  return (
    <Modal title={title} className="plan-dialog" onClose={onClose}>
      {(close) => (
        <>
          <div className="dialog-body plan-dialog-body">
            {children}
            {error ? (
              <p className="notice notice-danger" role="alert">
                {error}
              </p>
            ) : null}
          </div>
          <div className="dialog-foot">
            <button type="button" className="btn btn-secondary btn-lg" onClick={close}>
              {keep}
            </button>
            <button
              type="button"
              className={`btn btn-lg ${danger ? 'btn-danger' : 'btn-primary'}`}
              aria-busy={busy !== null}
              onClick={async () => {
                if (await onConfirm()) close();
              }}
            >
              {confirm}
            </button>
          </div>
        </>
      )}
    </Modal>
  );
}

interface DialogProps {
  subscription: SubscriptionView;
  changing: Changing;
  onClose: () => void;
}

/** What goes and what stays with a cancelled plan. */
const Kept = () => (
  <dl className="plan-facts">
    <div>
      <dt>You lose then</dt>
      <dd>Unlimited use, the Script Generator, the PDF Analyzer and the prompts of Pro</dd>
    </div>
    <div>
      <dt>You keep</dt>
      <dd>Everything you made, your account and your credits</dd>
    </div>
  </dl>
);

/** Cancels at the end of what is paid: the date, what is lost, what is kept. */
export function CancelDialog({
  subscription: { state, plan, periodEnd, endedAt, renewalDue },
  onCancel,
  ...rest
}: DialogProps & { onCancel: () => Promise<boolean> }) {
  const over = endedAt !== null;
  const paid = state !== 'past_due' && !over && !renewalDue && periodEnd !== null;
  return (
    <Step
      {...rest}
      title={`Cancel ${proFor(plan)}?`}
      confirm={planButtons.cancel}
      keep={over ? 'Keep the plan' : 'Keep Pro'}
      danger
      onConfirm={onCancel}
    >
      <p>
        {paid ? (
          <>
            Pro ends on{' '}
            <strong>
              <LocalTime iso={periodEnd} format={day} />
            </strong>
            . Until then nothing changes, and nothing more is charged.
          </>
        ) : over ? (
          'Pro by this plan has ended, but it would be charged again. Cancelled, it is not.'
        ) : (
          'Nothing is paid ahead: Pro ends at once, and nothing more is charged.'
        )}
      </p>
      {over ? null : <Kept />}
      {paid ? <p className="muted">You can resume the plan until it ends.</p> : null}
    </Step>
  );
}

const every = (months: number) => (months === 1 ? 'month' : months === 12 ? 'year' : `${months} months`);

/** Goes on with a paused plan whose period is over: another one begins, and is paid at once. */
export function ResumeDialog({
  subscription: { plan, periodEnd, resumeCents, priceCents, currency },
  onResume,
  ...rest
}: DialogProps & { onResume: () => Promise<boolean> }) {
  const { period, months } = priceTable[plan];
  const now = amount(resumeCents ?? 0, currency);
  return (
    <Step
      {...rest}
      title={`Resume ${proFor(plan)}?`}
      confirm={`Pay ${now} and resume`}
      keep="Keep it paused"
      onConfirm={onResume}
    >
      <p>
        The period that you paid for
        {periodEnd ? (
          <>
            {' ended on '}
            <strong>
              <LocalTime iso={periodEnd} format={day} />
            </strong>
          </>
        ) : (
          ' is over'
        )}
        {`. ${seller} charges `}
        <strong>{`${now} now`}</strong>
        {`: ${period.toLowerCase()} of Pro begins today. It then renews every ${every(months)} for ${amount(priceCents, currency)}, until you cancel it.`}
      </p>
    </Step>
  );
}

/** Changes to a longer duration: which, and what it costs now. */
export function ChangeDialog({
  subscription,
  onChange,
  ...rest
}: DialogProps & { onChange: (plan: SubscriptionView['plan']) => Promise<boolean> }) {
  const choices = planChoices.filter(({ value }) => subscription.changes.includes(value));
  const [chosen, setChosen] = useState(choices[0]?.value ?? subscription.plan);
  const { period, priceCents, months } = priceTable[chosen];
  return (
    <Step
      {...rest}
      title="Change duration"
      confirm={`Change to ${period}`}
      keep={`Keep ${priceTable[subscription.plan].period}`}
      onConfirm={() => onChange(chosen)}
    >
      <form
        onChange={(event) => {
          const plan = new FormData(event.currentTarget).get('plan');
          if (isPlanDuration(plan)) setChosen(plan);
        }}
      >
        <ChoiceCards name="plan" legend="Duration of Pro" choices={choices} chosen={chosen} />
      </form>
      <p>
        {`${seller} charges ${money(priceCents)} for ${period.toLowerCase()} now, less what is left of the period you have paid. It then renews every ${every(months)} for ${money(priceCents)}.`}
      </p>
    </Step>
  );
}

/** Gives the whole amount back: Pro ends at once. */
export function MoneyBackDialog({
  subscription: { moneyBackCents, currency },
  onTake,
  ...rest
}: DialogProps & { onTake: () => Promise<boolean> }) {
  return (
    <Step
      {...rest}
      title="Get your money back?"
      confirm="Refund and end Pro"
      keep="Keep Pro"
      danger
      onConfirm={onTake}
    >
      <p>
        {`Everything that you have paid for this plan, ${amount(moneyBackCents, currency)}, goes back to where it came from, and `}
        <strong>Pro ends at once</strong>. This cannot be undone.
      </p>
      <dl className="plan-facts">
        <div>
          <dt>You lose now</dt>
          <dd>{proPromise.split('.')[0]}</dd>
        </div>
        <div>
          <dt>You keep</dt>
          <dd>Everything you made, your account and your credits</dd>
        </div>
      </dl>
    </Step>
  );
}
