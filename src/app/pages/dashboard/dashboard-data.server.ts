import { me } from '#features/accounts/service.server.ts';
import { billingView, listInvoices, onSale } from '#features/billing/service.server.ts';
import { ledger, usage } from '#features/credits/service.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { log } from '#platform/log.server.ts';
import { setting } from '#shared/settings.ts';
import { recentWork } from './recent-work.server.ts';

async function readPart<T>(name: string, read: Promise<T>): Promise<T | null> {
  return read.catch((error: unknown) => {
    if (error instanceof Problem) throw error;
    log.error({ error, part: name }, 'a part of the dashboard could not be read');
    return null;
  });
}

export async function loadDashboard(actor: UserActor) {
  const noFilter = { entry: null, tool: null, before: null };
  const [person, billing, invoices, usageData, entries, recent] = await Promise.all([
    me({ actor }),
    readPart('plan', billingView({ actor })),
    readPart('payments', listInvoices({ actor, input: { before: null } })),
    readPart('use', usage({ actor })),
    readPart('ledger', ledger({ actor, input: noFilter })),
    readPart('recent work', recentWork(actor)),
  ]);
  return {
    me: person,
    credits: { currentCredits: person.credits, plan: person.plan },
    billing,
    invoices,
    usage: usageData,
    ledger: entries,
    recent,
    forSale: onSale().length > 0,
    supportEmail: setting('contact.email'),
  };
}

export type DashboardData = Awaited<ReturnType<typeof loadDashboard>>;
