import { useLoaderData } from 'react-router';
import { sampleDocument } from '#content/sample-document.ts';
import type { LandingPartProps } from '#features/tools/web/landing/landing-parts.tsx';
import { LandingSample } from '#features/tools/web/landing/landing-sample.tsx';
import { ToolLanding } from '#features/tools/web/landing/tool-landing.tsx';
import { m } from '#messages';
import { type DocumentSample, documentLimits } from '../contract.ts';

function Page({ quote, page }: { quote: string; page: number }) {
  const text = sampleDocument.pages[page - 1] ?? '';
  return (
    <div className="self-start rounded-md border border-line bg-bg p-5 text-sm" lang="en" dir="ltr">
      <p className="mb-4 flex justify-between text-xs text-fg-muted">
        <span>{sampleDocument.name}</span>
        {m.pdfs_viewer_page({ page, pages: sampleDocument.pages.length })}
      </p>
      <div className="grid gap-3">
        {text.split('\n\n').map((paragraph) => {
          const [, heading = '', rest = ''] = /^(\d+\. \w+)\. (.*)$/s.exec(paragraph) ?? [];
          const [before = '', after] = rest.split(quote);
          return (
            <div key={heading}>
              <p className="font-semibold">{heading}</p>
              <p>
                {before}
                {after === undefined ? null : (
                  <>
                    <span className="mark">{quote}</span>
                    {after}
                  </>
                )}
              </p>
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Sample({ sample }: { sample: DocumentSample }) {
  const { summary, questions, keywords } = sample.findings;
  const statements = [
    ...summary,
    ...questions.map(({ question, answer, quotes }) => ({ text: `${question} ${answer}`, quotes })),
  ];
  const first = summary[0]?.quotes[0];
  return (
    <LandingSample facts={m.pdf_sample_facts({ name: sample.name })}>
      <div className="grid gap-6 xl:grid-cols-2">
        <ul className="grid content-start divide-y divide-line">
          {statements.map(({ text, quotes }) => (
            <li key={text} className="grid gap-2 py-3.5 first:pt-0">
              <p lang="en" dir="ltr">
                {text}
              </p>
              {quotes.map((quote) => (
                <p key={quote.text} className="border-s-2 border-fg ps-3 text-sm text-fg-muted">
                  <q lang="en" dir="ltr">
                    {quote.text}
                  </q>{' '}
                  <span className="rounded-full border border-line-strong px-2 text-xs font-semibold whitespace-nowrap text-fg">
                    {m.pdf_page_short({ page: quote.places[0]?.page ?? 0 })}
                  </span>
                </p>
              ))}
            </li>
          ))}
          <li className="grid gap-2 py-3.5">
            <p dir="auto">{m.pdf_sample_unanswered()}</p>
            <p className="text-sm text-fg-muted">{m.pdfs_unanswered()}</p>
          </li>
        </ul>
        {first ? <Page quote={first.text} page={first.places[0]?.page ?? 1} /> : null}
      </div>
      <ul className="flex flex-wrap gap-2 text-sm" aria-label={m.pdfs_keywords()}>
        {keywords.map(({ word, count }) => (
          <li key={word} className="rounded-full border border-line px-3 py-0.5">
            <span lang="en">{word}</span> <span className="text-xs text-fg-muted">{count}</span>
          </li>
        ))}
      </ul>
    </LandingSample>
  );
}

export default function PdfLanding({ part }: LandingPartProps) {
  const { sample } = useLoaderData<{ sample: DocumentSample | null }>();
  return (
    <ToolLanding
      part={part}
      feature="pdf"
      title={m.pdf_landing_title()}
      description={m.pdf_landing_description()}
      lead={m.pdf_landing_lead()}
      sample={sample ? <Sample sample={sample} /> : null}
      unit={m.pdf_landing_unit()}
      fairUse={m.pdf_landing_fair_use}
      questions={[
        { question: m.pdf_faq_private(), answer: m.pdf_faq_private_answer() },
        { question: m.pdf_faq_unanswered(), answer: m.pdf_faq_unanswered_answer() },
        { question: m.pdf_faq_scans(), answer: m.pdf_faq_scans_answer({ pages: documentLimits.pages }) },
      ]}
    />
  );
}
