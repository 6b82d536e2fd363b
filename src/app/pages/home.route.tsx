import type { MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { site } from '../../../content/site.ts';
import { config } from '../../platform/config/config.server.ts';
import type { PageHandle } from '../../shared/page-handle.ts';
import { pageMeta } from '../../shared/page-meta.ts';
import { Claims } from './home/claims.tsx';
import { Hero } from './home/hero.tsx';
import { PricingSummary } from './home/pricing-summary.tsx';
import { ProductWindow } from './home/product-window.tsx';
import { Tools } from './home/tools.tsx';

export const handle: PageHandle = { page: 'public' };

/** Sample claims leave the server only while the site runs in its sandbox. */
export function loader() {
  const { publicUrl, sandbox } = config();
  return { publicUrl, claims: site.claims.filter((claim) => sandbox || !claim.sample) };
}

export const meta: MetaFunction<typeof loader> = ({ loaderData }) =>
  pageMeta({
    title: site.title,
    description: site.description,
    path: '/',
    publicUrl: loaderData?.publicUrl ?? '',
  });

export default function Home() {
  const { claims } = useLoaderData<typeof loader>();
  return (
    <main id="main">
      <div className="wrap">
        <Hero />
        <ProductWindow />
        <Claims claims={claims} />
        <Tools />
        <PricingSummary />
      </div>
    </main>
  );
}
