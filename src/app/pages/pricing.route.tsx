import {
  type ActionFunctionArgs,
  data,
  type HeadersFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { openCheckout } from '../../features/billing/checkout/service.server.ts';
import { isPlanDuration } from '../../features/credits/contract.ts';
import { pageContext } from '../../platform/http/page-context.server.ts';
import { Problem } from '../../platform/http/problem.server.ts';
import type { PageHandle } from '../../shared/page-handle.ts';
import { Claims } from './home/claims.tsx';
import { wordsMeta } from './parts/page-words.ts';
import { faqPage, Questions } from './parts/questions.tsx';
import { CancelledBanner } from './pricing/cancelled-banner.tsx';
import { FairUse } from './pricing/fair-use.tsx';
import { FreePlan } from './pricing/free-plan.tsx';
import { PlanTable } from './pricing/plan-table.tsx';
import { pricingFacts } from './pricing/pricing-facts.server.ts';
import { PricingHead } from './pricing/pricing-head.tsx';
import { ProPlan } from './pricing/pro-plan.tsx';
import { pricingQuestions } from './pricing/questions.ts';
import { Security } from './pricing/security.tsx';
import { structuredData } from './pricing/structured-data.ts';

export const handle: PageHandle = { page: 'public', cache: 'guests', checkout: true };

export const headers: HeadersFunction = ({ actionHeaders }) => {
  const result = new Headers();
  const retryAfter = actionHeaders.get('retry-after');
  if (retryAfter) result.set('retry-after', retryAfter);
  return result;
};

export function loader({ request, context }: LoaderFunctionArgs) {
  const { actor } = context.get(pageContext);
  const cancelled = new URL(request.url).searchParams.get('payment') === 'cancelled';
  return pricingFacts(actor, cancelled);
}

/** The form of whoever is signed in, without scripts: on to the provider's page, or back here with the reason. */
export async function action({ request, context }: ActionFunctionArgs) {
  const plan = (await request.formData()).get('plan');
  const { actor } = context.get(pageContext);
  if (!isPlanDuration(plan)) return redirect('/pricing', 303);
  if (actor.kind !== 'user') return redirect(`/sign-in?plan=${plan}`, 303);
  try {
    const { url } = await openCheckout({ actor, input: { plan } });
    return redirect(url, 303);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const headers: HeadersInit =
      error.retryAfter === undefined ? {} : { 'retry-after': String(error.retryAfter) };
    return data({ plan, failed: error.message }, { status: error.status, headers });
  }
}

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => {
  if (!loaderData) return [];
  const { publicUrl, sale } = loaderData;
  const words = wordsMeta('pricing', publicUrl);
  const product = structuredData(sale.durations, publicUrl);
  const questions = { 'script:ld+json': faqPage(pricingQuestions) };
  return product ? [...words, { 'script:ld+json': product }, questions] : [...words, questions];
};

export default function Pricing() {
  const { own, sale, claims, cancelled, limits } = useLoaderData<typeof loader>();
  const tried = useActionData<typeof action>();
  return (
    <main id="main" className="wrap pricing">
      <CancelledBanner shown={cancelled} />
      <PricingHead own={own} promotion={sale.promotion} />
      <div className="price-panel">
        <FreePlan own={own} />
        <ProPlan own={own} onSale={sale.durations} tried={tried ?? null} />
      </div>
      <PlanTable fairUse={limits.fairUse} />
      <FairUse limits={limits} />
      <Claims claims={claims} />
      <Security />
      <Questions questions={pricingQuestions} />
    </main>
  );
}
