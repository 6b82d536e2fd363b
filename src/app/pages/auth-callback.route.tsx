import { setTimeout as pause } from 'node:timers/promises';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { requestedPlan, safeReturnTo } from '#features/accounts/return-to.ts';
import { me } from '#features/accounts/service.server.ts';
import { openCheckout } from '#features/billing/service.server.ts';
import type { PlanDuration } from '#features/credits/contract.ts';
import { m } from '#messages';
import type { UserActor } from '#platform/http/actor.server.ts';
import { pageContext } from '#platform/http/page-context.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { log } from '#platform/log.server.ts';
import { unindexedMeta } from '#shared/page-title.ts';
import { Button } from '#ui/button.tsx';
import { MessagePage } from './parts/message-page.tsx';

export const handle = { page: 'public', cache: false };

export const meta = () => unindexedMeta(m.auth_callback_title());

export const headers = () => ({ 'cache-control': 'private, no-store' });

function errorPath(error: string, description: string): string {
  const query = new URLSearchParams({ error, description: description.slice(0, 200), from: 'auth_callback' });
  return `/error?${query}`;
}

/** How long a sign-in waits for the payment provider. A checkout that opens later is reused by the next attempt. */
const CHECKOUT_TIMEOUT_MS = 8_000;

const retryCheckoutPath = (plan: PlanDuration) =>
  `/dashboard?${new URLSearchParams({ subscribe: 'true', plan })}`;

async function toCheckout(actor: UserActor, plan: PlanDuration): Promise<string> {
  try {
    const opening = openCheckout({ actor, input: { plan } });
    return (
      (await Promise.race([opening, pause(CHECKOUT_TIMEOUT_MS, null, { ref: false })]))?.url ??
      retryCheckoutPath(plan)
    );
  } catch (failure) {
    if (failure instanceof Problem && failure.code === 'conflict') return '/dashboard';
    if (!(failure instanceof Problem)) log.error({ error: failure }, 'a checkout could not be started');
    return retryCheckoutPath(plan);
  }
}

function withGreeting(path: string): string {
  const url = new URL(path, 'http://own.invalid');
  url.searchParams.set('success', 'login');
  return url.pathname + url.search + url.hash;
}

async function returnToPath(
  actor: UserActor,
  query: URLSearchParams,
  isNavigation: boolean,
): Promise<string> {
  const plan = requestedPlan(query);
  if (plan) return isNavigation ? toCheckout(actor, plan) : retryCheckoutPath(plan);
  const next = safeReturnTo(query.get('next'));
  return withGreeting(next && !next.startsWith('/auth/') ? next : '/');
}

/** See the specification, section 4, "Auth callback". Uses only plan names and paths of this site from the query. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams;
  const { actor } = context.get(pageContext);
  const error = query.get('error');
  const to = async () => {
    if (error !== null)
      return errorPath(
        /^[\w-]{1,60}$/.test(error) ? error : 'auth_error',
        query.get('error_description') ?? '',
      );
    const noSession = errorPath('no_session', m.auth_no_session());
    if (actor.kind !== 'user') return noSession;
    try {
      await me({ actor });
    } catch (failure) {
      return failure instanceof Problem ? noSession : errorPath('auth_failed', m.auth_failed());
    }
    // A prefetch or prerender must not open a checkout.
    const isNavigation = !/prefetch|prerender/.test(request.headers.get('sec-purpose') ?? '');
    return returnToPath(actor, query, isNavigation);
  };
  return { to: await to() };
}

export default function Callback() {
  const { to } = useLoaderData<typeof loader>();
  return (
    <MessagePage data-no-return="" data-go={to}>
      <noscript>
        <meta httpEquiv="refresh" content={`0;url=${to}`} />
      </noscript>
      <div role="status" className="grid gap-4">
        <span className="spinner" aria-hidden="true" />
        <h1 className="h2 -mt-4 max-w-[18ch]">{m.auth_callback_wait()}</h1>
        <p className="muted">{m.auth_callback_verify()}</p>
      </div>
      <p className="[animation:reveal_1ms_5s_both]">
        <Button href={to}>{m.common_continue()}</Button>
      </p>
    </MessagePage>
  );
}
