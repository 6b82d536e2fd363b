import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { type BillingView, planButtons, type SubscriptionView } from '../../contract.ts';
import { cancelPlan, changePlan, openPortal, resumePlan, takeMoneyBack } from './api.ts';
import { CancelDialog, ChangeDialog, MoneyBackDialog, ResumeDialog } from './dialogs.tsx';
import { catchFocus, useChange } from './use-change.ts';
import { proFor } from './words.ts';

interface PlanActionsProps {
  subscription: SubscriptionView;
  /** Whether the provider's pages can be opened from here. */
  portal: boolean;
  /** Id of what takes the focus of a control that went away. */
  focusTo: string;
  /** Names the buttons apart where there is more than one plan. */
  named: boolean;
  onView: (view: BillingView) => void;
  /** Stands before the other actions. */
  children?: ReactNode;
}

interface Action {
  label: string;
  look: 'primary' | 'secondary' | 'ghost';
  /** What is being done while it is busy. */
  which?: string;
  press: () => void;
}

/** What a person can do with a subscription; each change asks the provider and shows what it then says. */
export function PlanActions({ subscription, portal, focusTo, named, onView, children }: PlanActionsProps) {
  const { id, plan, canCancel, canResume, resumeCents, changes, moneyBackUntil } = subscription;
  const [dialog, setDialog] = useState<'cancel' | 'resume' | 'change' | 'refund' | null>(null);
  const changing = useChange(focusTo);
  const { busy, error, change, clear } = changing;
  const verb = (which: string, work: () => Promise<BillingView>, done: string) =>
    change({ which, work, apply: onView, done });
  const open = (which: typeof dialog) => () => {
    clear();
    setDialog(which);
  };
  // The dialog goes first: a browser leaves the focus in a closed one whose opener is gone.
  const close = () => {
    flushSync(open(null));
    catchFocus(focusTo);
  };
  const manage = () =>
    void change({ which: 'portal', work: openPortal, apply: ({ url }) => window.location.assign(url) });
  const resume = () => verb('resume', () => resumePlan(id, resumeCents), 'Your plan goes on.');
  const actions: Action[] = [];
  const onResume = resumeCents === null ? () => void resume() : open('resume');
  if (canResume)
    actions.push({ label: planButtons.resume, look: 'primary', which: 'resume', press: onResume });
  if (portal) actions.push({ label: planButtons.portal, look: 'secondary', which: 'portal', press: manage });
  if (changes.length > 0)
    actions.push({ label: 'Change duration', look: 'secondary', press: open('change') });
  if (canCancel) actions.push({ label: planButtons.cancel, look: 'ghost', press: open('cancel') });
  if (moneyBackUntil) actions.push({ label: 'Get money back', look: 'ghost', press: open('refund') });
  const props = { subscription, changing, onClose: close };
  return (
    <>
      {error && !dialog ? (
        <p className="notice notice-danger" role="alert">
          {error}
        </p>
      ) : null}
      <Buttons actions={actions} busy={busy} of={named ? proFor(plan) : null}>
        {children}
      </Buttons>
      {dialog === 'cancel' ? (
        <CancelDialog
          {...props}
          onCancel={() => verb('cancel', () => cancelPlan(id), 'Your plan is cancelled.')}
        />
      ) : null}
      {dialog === 'resume' ? <ResumeDialog {...props} onResume={resume} /> : null}
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

interface ButtonsProps {
  actions: Action[];
  busy: string | null;
  /** The plan that they are about, for those who do not see it beside them. */
  of: string | null;
  children: ReactNode;
}

function Buttons({ actions, busy, of, children }: ButtonsProps) {
  if (actions.length === 0 && !children) return null;
  return (
    <div className="row plan-actions">
      {children}
      {actions.map(({ label, look, which, press }) => (
        <button
          key={label}
          type="button"
          className={`btn btn-${look}`}
          aria-busy={which !== undefined && busy === which}
          onClick={press}
        >
          {label}
          {of ? <span className="visually-hidden">: {of}</span> : null}
        </button>
      ))}
    </div>
  );
}
