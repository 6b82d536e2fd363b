import { type MetaFunction, useLoaderData } from 'react-router';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import type { PageHandle } from '#shared/page-handle.ts';
import { Button } from '#ui/button.tsx';
import { Faq, faqJsonLd } from '#ui/faq.tsx';
import { TitledSection } from '#ui/titled-section.tsx';
import { Claims } from './home/claims.tsx';
import { breadcrumbsJsonLd } from './parts/breadcrumbs-json-ld.ts';
import { PageHead } from './parts/page-head.tsx';
import { namedPageMeta } from './parts/page-metadata.ts';
import { claimsOfUseCases, shownClaims } from './parts/shown-claims.server.ts';
import { CaseList } from './use-cases/case-list.tsx';
import { IndustryList } from './use-cases/industry-list.tsx';
import { caseQuestions } from './use-cases/use-cases-faq.ts';

export const handle: PageHandle = { page: 'public' };

export function loader() {
  return { publicUrl: config().publicUrl, claims: shownClaims(claimsOfUseCases()) };
}

export const meta: MetaFunction<typeof loader> = ({ loaderData }) => {
  if (!loaderData) return [];
  const { publicUrl } = loaderData;
  return [
    ...namedPageMeta('use-cases', publicUrl),
    { 'script:ld+json': faqJsonLd(caseQuestions()) },
    { 'script:ld+json': breadcrumbsJsonLd(m.use_cases_name(), '/use-cases', publicUrl) },
  ];
};

function NextSteps() {
  return (
    <TitledSection id="way-on" title={m.use_cases_next()} className="print:hidden">
      <div className="grid gap-5">
        <p className="lead">{m.use_cases_next_lead()}</p>
        <div className="row">
          <Button variant="primary" size="lg" href="/tools">
            {m.use_cases_next_tools()}
          </Button>
          <Button size="lg" href="/blog/what-is-gpt-5">
            {m.use_cases_next_article()}
          </Button>
        </div>
      </div>
    </TitledSection>
  );
}

export default function UseCases() {
  return (
    <main id="main" className="wrap">
      <PageHead title={m.use_cases_title({ mark: (text) => <span className="mark">{text}</span> })}>
        <p className="lead">{m.use_cases_lead()}</p>
      </PageHead>
      <CaseList />
      <Claims columns={3} claims={useLoaderData<typeof loader>().claims} />
      <IndustryList />
      <Faq questions={caseQuestions()} />
      <NextSteps />
    </main>
  );
}
