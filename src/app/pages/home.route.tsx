import type { MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { featureTable } from '#features/credits/contract.ts';
import { fairUse } from '#features/credits/service.server.ts';
import { config } from '#platform/config/config.server.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { Faq, faqJsonLd } from '#ui/faq.tsx';
import { currentSale } from '../shell/current-sale.server.ts';
import { Claims } from './home/claims.tsx';
import { ClosingCall } from './home/closing-call.tsx';
import { Hero } from './home/hero.tsx';
import { homeQuestions } from './home/home-questions.ts';
import { ImageWall } from './home/image-wall.tsx';
import { ImagesMoment, QuoteMoment, RewriteMoment } from './home/moments.tsx';
import { PricingSummary } from './home/pricing-summary.tsx';
import { ToolCards } from './home/tool-cards.tsx';
import { organizationJsonLd, websiteJsonLd } from './parts/organization-json-ld.ts';
import { namedPageMeta } from './parts/page-metadata.ts';
import { homeClaims, shownClaims } from './parts/shown-claims.server.ts';
import './home/home.css';

export const handle: PageHandle = { page: 'public' };

export function loader() {
  const { publicUrl } = config();
  return {
    publicUrl,
    claims: shownClaims(homeClaims()),
    sale: currentSale(),
    fairUse: {
      messages: fairUse('chat') ?? 0,
      texts: fairUse('writer') ?? 0,
      pictures: fairUse('image') ?? 0,
    },
  };
}

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => {
  const publicUrl = loaderData?.publicUrl ?? '';
  return [
    ...namedPageMeta('home', publicUrl),
    { 'script:ld+json': organizationJsonLd(publicUrl) },
    { 'script:ld+json': websiteJsonLd(publicUrl) },
    { 'script:ld+json': faqJsonLd(homeQuestions()) },
  ];
};

export default function Home() {
  const { claims, sale, fairUse } = useLoaderData<typeof loader>();
  return (
    <main id="main">
      <div className="wrap">
        <Hero />
        <ToolCards />
        {featureTable.pdf.offered ? <QuoteMoment /> : null}
        {featureTable.writer.offered ? <RewriteMoment /> : null}
        {featureTable.image.offered ? <ImagesMoment /> : null}
        {featureTable.image.offered ? <ImageWall /> : null}
        <PricingSummary sale={sale} fairUse={fairUse} />
        <Faq questions={homeQuestions()} />
        <Claims claims={claims} />
      </div>
      <ClosingCall />
    </main>
  );
}
