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
import type { CheckoutOffer } from '#features/billing/contract.ts';
import { openCheckout, openPackCheckout } from '#features/billing/service.server.ts';
import { isPlanDuration } from '#features/credits/contract.ts';
import { m } from '#messages';
import { pageContext } from '#platform/http/page-context.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { Faq, faqJsonLd } from '#ui/faq.tsx';
import { Claims } from './home/claims.tsx';
import { namedPageMeta } from './parts/page-metadata.ts';
import { CancelledBanner } from './pricing/cancelled-banner.tsx';
import { CreditPacks } from './pricing/credit-packs.tsx';
import { FairUseLimits } from './pricing/fair-use-limits.tsx';
import { FreePlan } from './pricing/free-plan.tsx';
import { PaymentSecurity } from './pricing/payment-security.tsx';
import { pricingData } from './pricing/pricing-data.server.ts';
import { pricingQuestions } from './pricing/pricing-faq.ts';
import { PricingHead } from './pricing/pricing-head.tsx';
import { ProPlan } from './pricing/pro-plan.tsx';
import { productJsonLd } from './pricing/product-json-ld.ts';
import './pricing/pricing.css';
import { linkTo } from '#ui/link-to.tsx';

export const handle: PageHandle = { page: 'public', cache: 'guests', checkout: true };

export const headers: HeadersFunction = ({ actionHeaders }) => {
  const retryAfter = actionHeaders.get('retry-after');
  return new Headers(retryAfter ? { 'retry-after': retryAfter } : {});
};

export function loader({ request, context }: LoaderFunctionArgs) {
  const { actor } = context.get(pageContext);
  const cancelled = new URL(request.url).searchParams.get('payment') === 'cancelled';
  return pricingData(actor, cancelled);
}

export async function action({ request, context }: ActionFunctionArgs) {
  const fields = await request.formData();
  const [plan, pack] = [fields.get('plan'), fields.get('pack')];
  const { actor } = context.get(pageContext);
  const offer: CheckoutOffer | null = isPlanDuration(plan)
    ? { plan }
    : typeof pack === 'string' && pack !== ''
      ? { pack }
      : null;
  if (!offer) return redirect('/pricing', 303);
  if (actor.kind !== 'user')
    return redirect('plan' in offer ? `/sign-in?plan=${offer.plan}` : '/sign-in?next=%2Fpricing', 303);
  try {
    const checkout =
      'plan' in offer ? openCheckout({ actor, input: offer }) : openPackCheckout({ actor, input: offer });
    return redirect((await checkout).url, 303);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const attempt = 'plan' in offer ? { plan: offer.plan, pack: null } : { plan: null, pack: offer.pack };
    return data({ ...attempt, failed: error.message }, { status: error.status, headers: error.headers });
  }
}

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => {
  if (!loaderData) return [];
  const { publicUrl, sale } = loaderData;
  const metadata = namedPageMeta('pricing', publicUrl);
  const product = productJsonLd(sale.durations, publicUrl);
  const questions = { 'script:ld+json': faqJsonLd(pricingQuestions()) };
  return product ? [...metadata, { 'script:ld+json': product }, questions] : [...metadata, questions];
};

export default function Pricing() {
  const { own, sale, claims, cancelled, limits } = useLoaderData<typeof loader>();
  const attempt = useActionData<typeof action>();
  return (
    <main id="main" className="wrap pricing relative">
      <CancelledBanner shown={cancelled} />
      <PricingHead own={own} promotion={sale.promotion} />
      {/* Phones show the second plan above the first, so the first stays invisible until the second has arrived. */}
      <div
        className="price-panel grid grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)] border rounded-lg bg-surface border-line max-md:grid-cols-1 max-md:*:only:invisible"
        id="plans"
      >
        <FreePlan own={own} />
        <ProPlan
          own={own}
          onSale={sale.durations}
          attempt={attempt?.plan ? { plan: attempt.plan, failed: attempt.failed } : null}
          fairUse={limits.fairUse}
        />
      </div>
      <p className="fine pt-4">
        {m.pricing_fair_note({
          fair: linkTo('#fair-use'),
        })}
      </p>
      <CreditPacks
        own={own}
        packs={sale.packs}
        attempt={attempt?.pack ? { pack: attempt.pack, failed: attempt.failed } : null}
      />
      <FairUseLimits limits={limits} />
      <Claims claims={claims} />
      <PaymentSecurity />
      <Faq questions={pricingQuestions()} />
    </main>
  );
}
