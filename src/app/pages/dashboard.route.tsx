import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { validate as isUuid } from 'uuid';
import type { PendingPayment } from '#features/billing/web/subscription/plan-labels.ts';
import { isPlanDuration, type PlanDuration } from '#features/credits/contract.ts';
import { m } from '#messages';
import { pageContext } from '#platform/http/page-context.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { unindexedMeta } from '#shared/page-title.ts';
import './dashboard/dashboard.css';
import { loadDashboard } from './dashboard/dashboard-data.server.ts';
import { DashboardPage } from './dashboard/dashboard-page.tsx';
import { SignedOut } from './dashboard/signed-out.tsx';

export const handle = { page: 'app', footer: true } satisfies PageHandle;

export const meta = () => unindexedMeta(m.page_dashboard());

/** Returns the payment to wait for, or null. A pack is identified only by its checkout id. */
function readPayment(plan: PlanDuration | null, query: URLSearchParams): PendingPayment | null {
  const checkout = query.get('checkout');
  const checkoutId = isUuid(checkout) ? checkout : null;
  return plan || (query.has('credits') && checkoutId) ? { plan, checkoutId } : null;
}

function readRequest(url: string) {
  const query = new URL(url).searchParams;
  const plan = query.get('plan');
  const knownPlan = isPlanDuration(plan) ? plan : null;
  return {
    paid: query.get('payment') === 'success' ? readPayment(knownPlan, query) : null,
    subscribe: query.get('subscribe') === 'true' ? knownPlan : null,
  };
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { actor } = context.get(pageContext);
  const requested = readRequest(request.url);
  if (actor.kind !== 'user') return { wish: requested, data: null };
  const data = await loadDashboard(actor).catch((error: unknown) => {
    // The account was deleted after the session was read.
    if (error instanceof Problem && error.code === 'unauthorized') return null;
    throw error;
  });
  return { wish: requested, data };
}

export default function Dashboard() {
  const { wish: requested, data } = useLoaderData<typeof loader>();
  return data ? <DashboardPage key={data.me.id} data={data} requested={requested} /> : <SignedOut />;
}
