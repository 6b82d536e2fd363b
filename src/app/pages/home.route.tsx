import type { MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { site } from '../../../content/site.ts';
import { fairUse } from '../../features/credits/service.server.ts';
import { config } from '../../platform/config/config.server.ts';
import type { PageHandle } from '../../shared/page-handle.ts';
import { sale } from '../shell/sale.server.ts';
import { Claims } from './home/claims.tsx';
import { Hero } from './home/hero.tsx';
import { PricingSummary } from './home/pricing-summary.tsx';
import { ProductWindow } from './home/product-window.tsx';
import { Tools } from './home/tools.tsx';
import { organization, website } from './parts/organization.ts';
import { wordsMeta } from './parts/page-words.ts';

export const handle: PageHandle = { page: 'public' };

/** Sample claims leave the server only while the site runs in its sandbox. */
export function loader() {
  const { publicUrl, sandbox } = config();
  return {
    publicUrl,
    claims: site.claims.filter((claim) => sandbox || !claim.sample),
    sale: sale(),
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
    ...wordsMeta('home', publicUrl),
    { 'script:ld+json': organization(publicUrl) },
    { 'script:ld+json': website(publicUrl) },
  ];
};

export default function Home() {
  const { claims, sale, fairUse } = useLoaderData<typeof loader>();
  return (
    <main id="main">
      <div className="wrap">
        <Hero />
        <ProductWindow />
        <Claims claims={claims} />
        <Tools />
        <PricingSummary sale={sale} fairUse={fairUse} />
      </div>
    </main>
  );
}
