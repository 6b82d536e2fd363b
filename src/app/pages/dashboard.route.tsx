import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { validate as isUuid } from 'uuid';
import { site } from '../../../content/site.ts';
import { me } from '../../features/accounts/users/service.server.ts';
import { onSale } from '../../features/billing/provider/service.server.ts';
import { billingOf, invoicesOf } from '../../features/billing/state/service.server.ts';
import { isPlanDuration } from '../../features/credits/contract.ts';
import { ledger, usage } from '../../features/credits/ledger/service.server.ts';
import { creditsOf } from '../../features/credits/service.server.ts';
import type { UserActor } from '../../platform/http/actor.server.ts';
import { pageContext } from '../../platform/http/page-context.server.ts';
import { Problem } from '../../platform/http/problem.server.ts';
import { log } from '../../platform/log/log.server.ts';
import type { PageHandle } from '../../shared/page-handle.ts';
import { pageTitle } from '../../shared/page-title.ts';
import './dashboard/dashboard.css';
import { DashboardPage } from './dashboard/dashboard-page.tsx';
import { recentWork } from './dashboard/recent.server.ts';
import { SignedOut } from './dashboard/signed-out.tsx';

export const handle = { page: 'app', footer: true } satisfies PageHandle;

export const meta = () => [{ title: pageTitle('Dashboard') }, { name: 'robots', content: 'noindex' }];

/** What an address asks for: to look for a payment, or to try a checkout again; nothing is ever taken from it but that. */
function wishOf(url: string) {
  const query = new URL(url).searchParams;
  const plan = query.get('plan');
  const known = isPlanDuration(plan) ? plan : null;
  const checkout = query.get('checkout');
  return {
    paid:
      known !== null && query.get('payment') === 'success'
        ? { plan: known, checkoutId: isUuid(checkout) ? checkout : null }
        : null,
    subscribe: query.get('subscribe') === 'true' ? known : null,
  };
}

/** A part of the page that cannot be read leaves the others as they are; it can be asked for again. */
async function part<T>(name: string, read: Promise<T>): Promise<T | null> {
  return read.catch((error: unknown) => {
    if (error instanceof Problem) throw error;
    log.error({ error, part: name }, 'a part of the dashboard could not be read');
    return null;
  });
}

async function everything(actor: UserActor) {
  const all = { entry: null, tool: null, before: null };
  const [person, credits, billing, invoices, used, entries, recent] = await Promise.all([
    me({ actor }),
    part('credits', creditsOf({ actor })),
    part('plan', billingOf({ actor })),
    part('payments', invoicesOf({ actor, input: { before: null } })),
    part('use', usage({ actor })),
    part('ledger', ledger({ actor, input: all })),
    part('recent work', recentWork(actor)),
  ]);
  return {
    me: person,
    credits,
    billing,
    invoices,
    usage: used,
    ledger: entries,
    recent,
    forSale: onSale().length > 0,
    supportEmail: site.supportEmail,
  };
}

/** What `everything` knows of a person. */
export type DashboardData = Awaited<ReturnType<typeof everything>>;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { actor } = context.get(pageContext);
  const wish = wishOf(request.url);
  if (actor.kind !== 'user') return { wish, data: null };
  const data = await everything(actor).catch((error: unknown) => {
    // Deleted since the session was read.
    if (error instanceof Problem && error.code === 'unauthorized') return null;
    throw error;
  });
  return { wish, data };
}

export default function Dashboard() {
  const { wish, data } = useLoaderData<typeof loader>();
  return data ? <DashboardPage key={data.me.id} data={data} wish={wish} /> : <SignedOut />;
}
