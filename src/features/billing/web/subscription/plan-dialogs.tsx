import { type ReactNode, useState } from 'react';
import type { Mutation } from '#client/use-mutation.ts';
import { formatMoney, isPlanDuration, planChoices, priceTable, seller } from '#features/credits/contract.ts';
import { m } from '#messages';
import { sentenceSeparator } from '#shared/join-sentences.ts';
import { Button } from '#ui/button.tsx';
import { ChoiceCards } from '#ui/choice-cards.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { planButtons, type SubscriptionView } from '../../contract.ts';
import { PlanDetails } from './plan-details.tsx';
import { day, formatAmount, proLabel } from './plan-labels.ts';

interface ConfirmStepProps {
  title: string;
  changing: Mutation;
  confirm: string;
  keep: string;
  danger?: boolean;
  children: ReactNode;
  /** Resolves to true if the change was made. */
  onConfirm: () => Promise<boolean>;
  onClose: () => void;
}

function ConfirmStep({
  title,
  changing,
  confirm,
  keep,
  danger = false,
  children,
  onConfirm,
  onClose,
}: ConfirmStepProps) {
  const { busy, error } = changing;
  return (
    <Dialog title={title} className="w-[min(30rem,calc(100vw_-_2_*_var(--s-4)))]" onClose={onClose}>
      {(close) => (
        <>
          <div className="dialog-body grid gap-4 text-sm">
            {children}
            {error ? <Notice kind="danger">{error}</Notice> : null}
          </div>
          <div className="dialog-foot">
            <Button className="max-xs:flex-1" size="lg" onClick={close}>
              {keep}
            </Button>
            <Button
              className="max-xs:flex-1"
              variant={danger ? 'danger' : 'primary'}
              size="lg"
              aria-busy={busy !== null}
              onClick={async () => {
                if (await onConfirm()) close();
              }}
            >
              {confirm}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

interface DialogProps {
  subscription: SubscriptionView;
  changing: Mutation;
  onClose: () => void;
}

interface EndDialogProps extends DialogProps {
  /** Something else still gives Pro when this one is over. */
  hasOtherPro: boolean;
}

const LossSummary = () => (
  <PlanDetails
    facts={[
      { name: m.plan_lose(), value: m.plan_lose_tools() },
      { name: m.plan_keep(), value: m.plan_keep_all() },
    ]}
  />
);

const strong = (content: ReactNode) => <strong>{content}</strong>;
const strongDay = (iso: string) => () => strong(<LocalTime iso={iso} format={day} />);

export function CancelDialog({
  subscription: { state, plan, periodEnd, endedAt, renewalDue },
  hasOtherPro,
  onCancel,
  ...rest
}: EndDialogProps & { onCancel: () => Promise<boolean> }) {
  const until = hasOtherPro ? m.plan_cancel_stays_until : m.plan_cancel_until;
  const now = hasOtherPro ? m.plan_cancel_stays_now : m.plan_cancel_now;
  const isOver = endedAt !== null;
  const isPaid = state !== 'past_due' && !isOver && !renewalDue && periodEnd !== null;
  return (
    <ConfirmStep
      {...rest}
      title={m.plan_cancel_title({ plan: proLabel(plan) })}
      confirm={planButtons.cancel()}
      keep={isOver || hasOtherPro ? m.plan_keep_plan() : m.plan_keep_pro()}
      danger
      onConfirm={onCancel}
    >
      <p>{isPaid ? until({ when: strongDay(periodEnd) }) : isOver ? m.plan_cancel_over() : now()}</p>
      {isOver || hasOtherPro ? null : <LossSummary />}
      {isPaid ? <p className="muted">{m.plan_cancel_resume()}</p> : null}
    </ConfirmStep>
  );
}

/** For a paused plan whose period is over: resuming starts a new one and charges it immediately. */
export function ResumeDialog({
  subscription: { plan, periodEnd, resumeCents, priceCents, currency },
  onResume,
  ...rest
}: DialogProps & { onResume: () => Promise<boolean> }) {
  const amount = formatAmount(resumeCents ?? 0, currency);
  return (
    <ConfirmStep
      {...rest}
      title={m.plan_resume_title({ plan: proLabel(plan) })}
      confirm={m.plan_resume_confirm({ amount })}
      keep={m.plan_keep_paused()}
      onConfirm={onResume}
    >
      <p>
        {periodEnd ? m.plan_resume_ended({ when: strongDay(periodEnd) }) : m.plan_resume_over()}
        {sentenceSeparator()}
        {m.plan_resume_charge({
          seller,
          plan,
          amount,
          price: formatAmount(priceCents, currency),
          now: strong,
        })}
      </p>
    </ConfirmStep>
  );
}

export function ChangeDialog({
  subscription,
  onChange,
  ...rest
}: DialogProps & { onChange: (plan: SubscriptionView['plan']) => Promise<boolean> }) {
  const choices = planChoices().filter(({ value }) => subscription.changes.includes(value));
  const [chosen, setChosen] = useState(choices[0]?.value ?? subscription.plan);
  const { period, priceCents } = priceTable[chosen];
  return (
    <ConfirmStep
      {...rest}
      title={m.plan_change_duration()}
      confirm={m.plan_change_confirm({ period })}
      keep={m.plan_change_keep({ period: priceTable[subscription.plan].period })}
      onConfirm={() => onChange(chosen)}
    >
      <form
        onChange={(event) => {
          const plan = new FormData(event.currentTarget).get('plan');
          if (isPlanDuration(plan)) setChosen(plan);
        }}
      >
        <ChoiceCards name="plan" legend={m.upgrade_billing_period()} choices={choices} chosen={chosen} />
      </form>
      <p>{m.plan_change_charge({ seller, plan: chosen, price: formatMoney(priceCents) })}</p>
    </ConfirmStep>
  );
}

export function MoneyBackDialog({
  subscription: { moneyBackCents, currency },
  hasOtherPro,
  onRefund,
  ...rest
}: EndDialogProps & { onRefund: () => Promise<boolean> }) {
  const text = hasOtherPro ? m.plan_refund_stays : m.plan_refund_text;
  return (
    <ConfirmStep
      {...rest}
      title={m.plan_refund_title()}
      confirm={hasOtherPro ? m.plan_refund_confirm_plan() : m.plan_refund_confirm()}
      keep={hasOtherPro ? m.plan_keep_plan() : m.plan_keep_pro()}
      danger
      onConfirm={onRefund}
    >
      <p>{text({ amount: formatAmount(moneyBackCents, currency), now: strong })}</p>
      {hasOtherPro ? null : <LossSummary />}
    </ConfirmStep>
  );
}
