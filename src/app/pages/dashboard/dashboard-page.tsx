import { type ReactNode, useEffect, useState } from 'react';
import { notifyAccountChanged } from '#client/page-events.ts';
import { useLoadedState } from '#client/use-loaded-state.ts';
import { useReloadOnAuth } from '#client/use-reload-on-auth.ts';
import type { BillingView } from '#features/billing/contract.ts';
import { Invoices, SellerInvoices } from '#features/billing/web/subscription/invoices.tsx';
import {
  CheckoutNotice,
  OpenCheckout,
  PaymentBanner,
} from '#features/billing/web/subscription/payment-banner.tsx';
import type { PendingPayment } from '#features/billing/web/subscription/plan-labels.ts';
import { PlanPanel } from '#features/billing/web/subscription/plan-panel.tsx';
import { usePaymentStatus } from '#features/billing/web/subscription/use-payment-status.ts';
import type { PlanDuration } from '#features/credits/contract.ts';
import { featureTable } from '#features/credits/contract.ts';
import { usageDays } from '#features/credits/ledger/ledger-contract.ts';
import { Balance } from '#features/credits/web/ledger/balance.tsx';
import { Ledger } from '#features/credits/web/ledger/ledger.tsx';
import { Usage } from '#features/credits/web/ledger/usage.tsx';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import type { DashboardData } from './dashboard-data.server.ts';
import { RecentWork } from './recent-work.tsx';

interface DashboardRequest {
  paid: PendingPayment | null;
  subscribe: PlanDuration | null;
}

function useBillingView(first: BillingView | null) {
  const [view, setView] = useLoadedState(first);
  const plan = view?.plan;
  useEffect(() => {
    if (plan) notifyAccountChanged({ plan });
  }, [plan]);
  return [view, setView] as const;
}

/** Removes the query, so that a reload does not repeat what it requested. */
function useCleanAddress() {
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
    <section className={`grid grid-cols-1 gap-4 content-start min-w-0 ${className}`} aria-labelledby={id}>
      <h2 className="h3" id={id}>
        {title}
      </h2>
      {children}
    </section>
  );
}

function Failed({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <div className="row">
      <Notice kind="danger" live={false}>
        {text}
      </Notice>
      <Button onClick={onRetry}>{m.common_retry()}</Button>
    </div>
  );
}

function Shortcuts() {
  return (
    <div className="row">
      {featureTable.writer.offered ? <Button href="/tools/writer">{m.dashboard_write()}</Button> : null}
      <Button href="/chat">{m.common_open_chat()}</Button>
    </div>
  );
}

function Account({ email }: { email: string }) {
  const links = [
    ['/settings#settings-sessions', m.dashboard_sessions()],
    ['/settings#settings-data', m.dashboard_data()],
    ['/settings', m.dashboard_settings()],
  ];
  return (
    <nav
      className="flex flex-wrap gap-y-1 gap-x-6 items-baseline border-t border-line pt-4 text-sm"
      aria-label={m.nav_account()}
    >
      <span className="muted wrap-anywhere">{m.dashboard_signed_in({ email })}</span>
      {links.map(([href, text]) => (
        <a key={href} className="link pointer-coarse:inline-block pointer-coarse:py-3" href={href}>
          {text}
        </a>
      ))}
    </nav>
  );
}

const wide = 'col-span-7 max-ml:col-span-full';
const narrow = 'col-span-5 max-ml:col-span-full';

export function DashboardPage({ data, requested }: { data: DashboardData; requested: DashboardRequest }) {
  const { me, credits, invoices, usage, ledger, recent, forSale, supportEmail } = data;
  const [subscribe] = useState(requested.subscribe);
  const reload = useReloadOnAuth();
  const [view, setView] = useBillingView(data.billing);
  const { payment, forPack, checkAgain, close } = usePaymentStatus(requested.paid, view, setView, reload);
  useCleanAddress();
  // Empty sections are hidden, but sections that failed to load are shown with an error.
  const hasUsage = !usage || usage.tools.some(({ runs }) => runs > 0);
  const hasPayments = !invoices || invoices.invoices.length > 0 || view?.portal;
  // A single entry is the welcome credits, which is not worth showing as history.
  const hasHistory = !ledger || ledger.entries.length > 1;
  const onViewChanged = (newView: BillingView) => {
    setView(newView);
    reload();
  };
  return (
    <main
      id="main"
      className="wrap dash grid grid-cols-12 content-start gap-y-16 gap-x-12 pt-12 pb-24 max-ml:grid-cols-1 max-ml:gap-y-12 max-md:pt-8 max-md:pb-12"
    >
      <h1 className="h1 -mb-8">{m.page_dashboard()}</h1>
      <PaymentBanner
        payment={payment}
        forPack={forPack}
        supportEmail={supportEmail}
        onCheckAgain={() => checkAgain()}
        onClose={close}
      />
      {subscribe && view?.plan === 'free' ? <CheckoutNotice plan={subscribe} /> : null}
      {view?.plan === 'free' && view.pendingCheckout && !subscribe && payment.stage === 'none' ? (
        <OpenCheckout
          checkout={view.pendingCheckout}
          onCheck={({ id, plan }) => checkAgain({ plan, checkoutId: id })}
        />
      ) : null}
      <div
        className={`dash-top ${wide} self-start border border-line rounded-lg bg-surface [box-shadow:var(--shadow-1)]`}
      >
        <div className="flex flex-wrap gap-4 items-end justify-between border-b border-line">
          <Balance first={credits} chatsLeftToday={me.chatsLeftToday} />
          <Shortcuts />
        </div>
        {view ? (
          <PlanPanel
            view={view}
            forSale={forSale}
            waiting={!forPack && (payment.stage === 'confirming' || payment.stage === 'late')}
            supportEmail={supportEmail}
            onView={onViewChanged}
          />
        ) : (
          <Failed text={m.dashboard_failed_plan()} onRetry={reload} />
        )}
      </div>
      <Part id="dash-recent" title={m.dashboard_recent()} className={narrow}>
        {recent ? (
          <RecentWork items={recent} />
        ) : (
          <Failed text={m.dashboard_failed_recent()} onRetry={reload} />
        )}
      </Part>
      {hasUsage ? (
        <Part
          id="dash-usage"
          title={m.dashboard_usage({ count: usageDays })}
          className={hasPayments ? wide : ''}
        >
          {usage ? <Usage usage={usage} /> : <Failed text={m.dashboard_failed_usage()} onRetry={reload} />}
        </Part>
      ) : null}
      {hasPayments ? (
        <Part id="dash-payments" title={m.dashboard_payments()} className={hasUsage ? narrow : ''}>
          {invoices ? (
            <Invoices first={invoices} />
          ) : (
            <Failed text={m.dashboard_failed_payments()} onRetry={reload} />
          )}
          {view?.portal ? <SellerInvoices focusTo="dash-payments" /> : null}
        </Part>
      ) : null}
      {hasHistory ? (
        <Part id="dash-ledger" title={m.ledger_title()} className="">
          <Ledger first={ledger} />
        </Part>
      ) : null}
      <Account email={me.email} />
    </main>
  );
}
