import type { MetaFunction } from 'react-router';
import { useLoaderData } from 'react-router';
import { site } from '../../../content/site.ts';
import { fairUse } from '../../features/credits/service.server.ts';
import { config } from '../../platform/config/config.server.ts';
import type { PageHandle } from '../../shared/page-handle.ts';
import { sale } from '../shell/sale.server.ts';
import { AtWork } from './home/at-work.tsx';
import { Claims } from './home/claims.tsx';
import { Hero } from './home/hero.tsx';
import { PricingSummary } from './home/pricing-summary.tsx';
import { Screen, screensScript } from './home/screen.tsx';
import { Tools } from './home/tools.tsx';
import { organization, website } from './parts/organization.ts';
import { wordsMeta } from './parts/page-words.ts';

export const handle: PageHandle = { page: 'public', script: screensScript };

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
        <Screen
          first
          name="chat"
          alt="The chat: a question about debouncing in TypeScript, answered with a block of code, beside the list of earlier chats and the credits that are left."
        />
        <Claims claims={claims} />
        <Tools />
        <AtWork />
        <PricingSummary sale={sale} fairUse={fairUse} />
      </div>
    </main>
  );
}
