import { type ReactNode, useEffect, useState } from 'react';
import { tellMe } from '../../../client/page-events.ts';
import type { BillingView } from '../../../features/billing/contract.ts';
import { CheckoutNotice } from '../../../features/billing/web/subscription/checkout-notice.tsx';
import { Invoices, SellerInvoices } from '../../../features/billing/web/subscription/invoices.tsx';
import { OpenCheckout, PaymentBanner } from '../../../features/billing/web/subscription/payment-banner.tsx';
import { PlanPanel } from '../../../features/billing/web/subscription/plan-panel.tsx';
import { usePayment } from '../../../features/billing/web/subscription/use-payment.ts';
import type { AwaitedPayment } from '../../../features/billing/web/subscription/words.ts';
import type { PlanDuration } from '../../../features/credits/contract.ts';
import { Balance } from '../../../features/credits/web/ledger/balance.tsx';
import { Ledger } from '../../../features/credits/web/ledger/ledger.tsx';
import { Usage } from '../../../features/credits/web/ledger/usage.tsx';
import type { DashboardData } from '../dashboard.route.tsx';
import { RecentWork } from './recent-work.tsx';
import { useReload } from './use-reload.ts';

interface Wish {
  /** The payment that the address names. */
  paid: AwaitedPayment | null;
  /** A plan whose checkout could not be opened after the sign-in. */
  subscribe: PlanDuration | null;
}

/** The plan as it was loaded, and as it was changed here since; the page's frame follows. */
function useView(first: BillingView | null) {
  const [seen, setSeen] = useState(first);
  const [view, setView] = useState(first);
  if (seen !== first) {
    setSeen(first);
    setView(first);
  }
  const plan = view?.plan;
  useEffect(() => {
    if (plan) tellMe({ plan });
  }, [plan]);
  return [view, setView] as const;
}

/** What the address asked for is done once. */
function useStripped() {
  useEffect(() => {
    if (location.search) history.replaceState(history.state, '', location.pathname);
  }, []);
}

function Part({
  id,
  title,
  className,
  children,
}: {
  id: string;
  title: string;
  className: string;
  children: ReactNode;
}) {
  return (
    <section className={`dash-part ${className}`} aria-labelledby={id}>
      <h2 className="h3" id={id}>
        {title}
      </h2>
      {children}
    </section>
  );
}

/** In place of a part that could not be read. */
function Failed({ what, onRetry }: { what: string; onRetry: () => void }) {
  return (
    <div className="row">
      <p className="notice notice-danger">{`Failed to load ${what}`}</p>
      <button type="button" className="btn btn-secondary" onClick={onRetry}>
        Retry
      </button>
    </div>
  );
}

/** The ways to work, beside what is left for it. */
function Shortcuts() {
  return (
    <div className="row dash-ways">
      <a className="btn btn-secondary" href="/tools/writer">
        Write a text
      </a>
      <a className="btn btn-secondary" href="/chat">
        Open chat
      </a>
    </div>
  );
}

function Account({ email }: { email: string }) {
  return (
    <>
      <p className="muted text-sm wrap-anywhere">{`Signed in as ${email}.`}</p>
      <ul className="dash-links">
        <li>
          <a className="link" href="/settings#settings-sessions">
            Sessions, and signing out everywhere
          </a>
        </li>
        <li>
          <a className="link" href="/settings#settings-data">
            Download everything of yours
          </a>
        </li>
        <li>
          <a className="link" href="/settings">
            Name, picture and deletion of the account
          </a>
        </li>
      </ul>
    </>
  );
}

/** Plan, balance and next renewal first; then what was used and made, each credit, and each payment. */
export function DashboardPage({ data, wish }: { data: DashboardData; wish: Wish }) {
  const { me, credits, invoices, usage, ledger, recent, forSale, supportEmail } = data;
  const [subscribe] = useState(wish.subscribe);
  const reload = useReload();
  const [view, setView] = useView(data.billing);
  const { payment, again, close } = usePayment(wish.paid, view, setView, reload);
  useStripped();
  const changed = (now: BillingView) => {
    setView(now);
    reload();
  };
  return (
    <main id="main" className="wrap dash">
      <h1 className="h1">Dashboard</h1>
      <PaymentBanner payment={payment} supportEmail={supportEmail} onAgain={() => again()} onClose={close} />
      {subscribe && view?.plan === 'free' ? <CheckoutNotice plan={subscribe} /> : null}
      {view?.plan === 'free' && view.pendingCheckout && !subscribe && payment.stage === 'none' ? (
        <OpenCheckout
          checkout={view.pendingCheckout}
          onCheck={({ id, plan }) => again({ plan, checkoutId: id })}
        />
      ) : null}
      <div className="dash-top">
        {view ? (
          <PlanPanel
            view={view}
            forSale={forSale}
            waiting={payment.stage === 'confirming' || payment.stage === 'late'}
            supportEmail={supportEmail}
            onView={changed}
          />
        ) : (
          <Failed what="your plan" onRetry={reload} />
        )}
        <div className="dash-balance">
          <Balance first={credits} chatsLeftToday={me.chatsLeftToday} />
          <Shortcuts />
        </div>
      </div>
      <Part id="dash-usage" title="Last 30 days" className="dash-wide">
        {usage ? <Usage usage={usage} /> : <Failed what="your use" onRetry={reload} />}
      </Part>
      <Part id="dash-recent" title="Recent work" className="dash-narrow">
        {recent ? <RecentWork items={recent} /> : <Failed what="recent work" onRetry={reload} />}
      </Part>
      <Part id="dash-ledger" title="Credit ledger" className="dash-whole">
        <Ledger first={ledger} />
      </Part>
      <Part id="dash-payments" title="Payments" className="dash-wide">
        {invoices ? <Invoices first={invoices} /> : <Failed what="your payments" onRetry={reload} />}
        {view?.portal ? <SellerInvoices focusTo="dash-payments" /> : null}
      </Part>
      <Part id="dash-account" title="Account" className="dash-narrow">
        <Account email={me.email} />
      </Part>
    </main>
  );
}
