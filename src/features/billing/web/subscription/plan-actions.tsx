import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { restoreFocus, useMutation } from '#client/use-mutation.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { type BillingView, planButtons, type SubscriptionView } from '../../contract.ts';
import { cancelPlan, changePlan, openPortal, refundPlan, resumePlan } from './billing-api.ts';
import { CancelDialog, ChangeDialog, MoneyBackDialog, ResumeDialog } from './plan-dialogs.tsx';
import { proLabel } from './plan-labels.ts';

interface PlanActionsProps {
  subscription: SubscriptionView;
  /** Something else still gives Pro when this one is over. */
  hasOtherPro: boolean;
  portal: boolean;
  /** Id of the element that gets the focus when a control disappears. */
  focusTo: string;
  showsName: boolean;
  onView: (view: BillingView) => void;
  children?: ReactNode;
}

interface Action {
  label: string;
  variant: 'primary' | 'secondary' | 'ghost';
  which?: string;
  onPress: () => void;
}

export function PlanActions({
  subscription,
  hasOtherPro,
  portal,
  focusTo,
  showsName,
  onView,
  children,
}: PlanActionsProps) {
  const { id, plan, canCancel, canResume, resumeCents, changes, moneyBackUntil } = subscription;
  const [dialog, setDialog] = useState<'cancel' | 'resume' | 'change' | 'refund' | null>(null);
  const changing = useMutation(focusTo);
  const { busy, error, change, setError } = changing;
  const runChange = (key: string, work: () => Promise<BillingView>, done: string) =>
    change({ key, work, apply: onView, done });
  const open = (which: typeof dialog) => () => {
    setError(null);
    setDialog(which);
  };
  // Close the dialog first: browsers leave the focus in a closed dialog whose opener is gone.
  const close = () => {
    flushSync(open(null));
    restoreFocus(focusTo);
  };
  const manage = () =>
    void change({ key: 'portal', work: openPortal, apply: ({ url }) => window.location.assign(url) });
  const resume = () => runChange('resume', () => resumePlan(id, resumeCents), m.plan_resumed());
  const actions: Action[] = [];
  const onResume = resumeCents === null ? () => void resume() : open('resume');
  if (canResume)
    actions.push({ label: planButtons.resume(), variant: 'primary', which: 'resume', onPress: onResume });
  if (portal)
    actions.push({ label: planButtons.portal(), variant: 'secondary', which: 'portal', onPress: manage });
  if (changes.length > 0)
    actions.push({ label: m.plan_change_duration(), variant: 'secondary', onPress: open('change') });
  if (canCancel) actions.push({ label: planButtons.cancel(), variant: 'ghost', onPress: open('cancel') });
  if (moneyBackUntil) actions.push({ label: m.plan_get_refund(), variant: 'ghost', onPress: open('refund') });
  const props = { subscription, changing, onClose: close };
  return (
    <>
      {error && !dialog ? <Notice kind="danger">{error}</Notice> : null}
      <Buttons actions={actions} busy={busy} planName={showsName ? proLabel(plan) : null}>
        {children}
      </Buttons>
      {dialog === 'cancel' ? (
        <CancelDialog
          {...props}
          hasOtherPro={hasOtherPro}
          onCancel={() => runChange('cancel', () => cancelPlan(id), m.plan_cancelled())}
        />
      ) : null}
      {dialog === 'resume' ? <ResumeDialog {...props} onResume={resume} /> : null}
      {dialog === 'change' ? (
        <ChangeDialog
          {...props}
          onChange={(to) =>
            runChange('change', () => changePlan(id, to), m.plan_changed({ plan: proLabel(to) }))
          }
        />
      ) : null}
      {dialog === 'refund' ? (
        <MoneyBackDialog
          {...props}
          hasOtherPro={hasOtherPro}
          onRefund={() => runChange('refund', () => refundPlan(id), m.plan_refund_asked())}
        />
      ) : null}
    </>
  );
}

interface ButtonsProps {
  actions: Action[];
  busy: string | null;
  /** The plan's name, for screen reader users, who do not see it next to the buttons. */
  planName: string | null;
  children: ReactNode;
}

function Buttons({ actions, busy, planName, children }: ButtonsProps) {
  if (actions.length === 0 && !children) return null;
  return (
    <div className="row plan-actions gap-2 [&_.btn-ghost]:underline [&_.btn-ghost]:decoration-1 [&_.btn-ghost]:underline-offset-[0.2em]">
      {children}
      {actions.map(({ label, variant, which, onPress }) => (
        <Button
          key={label}
          variant={variant}
          aria-busy={which !== undefined && busy === which}
          onClick={onPress}
        >
          {label}
          {planName ? <span className="visually-hidden">: {planName}</span> : null}
        </Button>
      ))}
    </div>
  );
}
