import { useState } from 'react';
import type { BillingView, SubscriptionView } from '../../contract.ts';
import { cancelPlan, changePlan, openPortal, resumePlan, takeMoneyBack } from './api.ts';
import { CancelDialog, ChangeDialog, MoneyBackDialog } from './dialogs.tsx';
import { catchFocus, useChange } from './use-change.ts';
import { proFor } from './words.ts';

interface PlanActionsProps {
  subscription: SubscriptionView;
  /** Whether the provider's pages can be opened. */
  portal: boolean;
  /** Id of what takes the focus of a control that went away. */
  focusTo: string;
  /** Names the buttons apart where there is more than one plan. */
  named: boolean;
  onView: (view: BillingView) => void;
}

type Dialog = 'cancel' | 'change' | 'refund';

/** What a person can do with a subscription; each change asks the provider and shows what it then says. */
export function PlanActions({ subscription, portal, focusTo, named, onView }: PlanActionsProps) {
  const { id, plan, canCancel, canResume, changes, moneyBackUntil } = subscription;
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const changing = useChange(focusTo);
  const { busy, error, change, clear } = changing;
  const of = named ? <span className="visually-hidden">: {proFor(plan)}</span> : null;
  const verb = (which: string, work: () => Promise<BillingView>, done: string) =>
    change({ which, work, apply: onView, done });
  const open = (which: Dialog) => () => {
    clear();
    setDialog(which);
  };
  const close = () => {
    setDialog(null);
    clear();
    catchFocus(focusTo);
  };
  const props = { subscription, changing, onClose: close };
  const resume = () => verb('resume', () => resumePlan(id), 'Your plan goes on.');
  const manage = () =>
    change({ which: 'portal', work: openPortal, apply: ({ url }) => window.location.assign(url) });
  return (
    <>
      {error && !dialog ? (
        <p className="notice notice-danger" role="alert">
          {error}
        </p>
      ) : null}
      <div className="row plan-actions">
        {canResume ? (
          <button type="button" className="btn btn-primary" aria-busy={busy === 'resume'} onClick={resume}>
            Resume{of}
          </button>
        ) : null}
        {portal ? (
          <button type="button" className="btn btn-secondary" aria-busy={busy === 'portal'} onClick={manage}>
            Manage payment{of}
          </button>
        ) : null}
        {changes.length > 0 ? (
          <button type="button" className="btn btn-secondary" onClick={open('change')}>
            Change duration{of}
          </button>
        ) : null}
        {canCancel ? (
          <button type="button" className="btn btn-ghost" onClick={open('cancel')}>
            Cancel plan{of}
          </button>
        ) : null}
        {moneyBackUntil ? (
          <button type="button" className="btn btn-ghost" onClick={open('refund')}>
            Get money back{of}
          </button>
        ) : null}
      </div>
      {dialog === 'cancel' ? (
        <CancelDialog
          {...props}
          onCancel={() => verb('cancel', () => cancelPlan(id), 'Your plan is cancelled.')}
        />
      ) : null}
      {dialog === 'change' ? (
        <ChangeDialog
          {...props}
          onChange={(to) => verb('change', () => changePlan(id, to), `You have ${proFor(to)} now.`)}
        />
      ) : null}
      {dialog === 'refund' ? (
        <MoneyBackDialog
          {...props}
          onTake={() => verb('refund', () => takeMoneyBack(id), 'Your money is on its way back.')}
        />
      ) : null}
    </>
  );
}
