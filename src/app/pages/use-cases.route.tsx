import { type MetaFunction, useLoaderData } from 'react-router';
import { site } from '../../../content/site.ts';
import { config } from '../../platform/config/config.server.ts';
import type { PageHandle } from '../../shared/page-handle.ts';
import { Claims } from './home/claims.tsx';
import { breadcrumbs } from './parts/breadcrumbs.ts';
import { wordsMeta } from './parts/page-words.ts';
import { faqPage, Questions } from './parts/questions.tsx';
import { CaseList } from './use-cases/case-list.tsx';
import { IndustryList } from './use-cases/industry-list.tsx';
import { useCaseQuestions } from './use-cases/questions.ts';
import './use-cases/use-cases.css';

export const handle: PageHandle = { page: 'public' };

/** Sample claims leave the server only while the site runs in its sandbox. */
export function loader() {
  const { publicUrl, sandbox } = config();
  return { publicUrl, claims: site.useCaseClaims.filter((claim) => sandbox || !claim.sample) };
}

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => {
  if (!loaderData) return [];
  const { publicUrl } = loaderData;
  return [
    ...wordsMeta('use-cases', publicUrl),
    { 'script:ld+json': faqPage(useCaseQuestions) },
    { 'script:ld+json': breadcrumbs('Use cases', '/use-cases', publicUrl) },
  ];
};

function WayOn() {
  return (
    <section className="page-section page-columns case-end" aria-labelledby="way-on">
      <h2 className="h2" id="way-on">
        Try it on work of your own
      </h2>
      <div>
        <p className="lead">
          Take something that is due this week. You will know at once whether the result is any good.
        </p>
        <div className="row">
          <a className="btn btn-primary btn-lg" href="/tools">
            See the tools
          </a>
          <a className="btn btn-secondary btn-lg" href="/blog/what-is-gpt-5">
            What is GPT-5?
          </a>
        </div>
      </div>
    </section>
  );
}

export default function UseCases() {
  return (
    <main id="main" className="wrap">
      <div className="page-head">
        <h1 className="h1">
          Six jobs, and what <span className="mark">stays yours</span> in each
        </h1>
        <p className="lead">
          A model drafts, reads and sorts. What it hands over is only as good as what you bring and what you
          check.
        </p>
      </div>
      <CaseList />
      <Claims claims={useLoaderData<typeof loader>().claims} />
      <IndustryList />
      <Questions questions={useCaseQuestions} />
      <WayOn />
    </main>
  );
}
