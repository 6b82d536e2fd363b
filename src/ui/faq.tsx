import { m } from '#messages';
import { TitledSection } from './titled-section.tsx';

type AnswerPart = string | { text: string; href: string };

/** `id` is the answer's anchor: /pricing#cancel. */
export interface Question {
  id?: string;
  question: string;
  answer: string | readonly AnswerPart[];
}

const partsOf = ({ answer }: Pick<Question, 'answer'>): readonly AnswerPart[] =>
  typeof answer === 'string' ? [answer] : answer;

function Answer({ parts }: { parts: readonly AnswerPart[] }) {
  return (
    <p>
      {parts.map((part) =>
        typeof part === 'string' ? (
          part
        ) : (
          <a key={part.href} className="link" href={part.href}>
            {part.text}
          </a>
        ),
      )}
    </p>
  );
}

/** An address with an answer’s id opens it, even without scripts. */
export function Faq({
  questions,
  firstOpen = false,
}: {
  questions: readonly Question[];
  firstOpen?: boolean;
}) {
  return (
    <TitledSection id="questions" title={m.common_questions()}>
      <div className="border-t border-fg print:[&_::details-content]:block print:[&_::details-content]:[content-visibility:visible]">
        {questions.map((each, at) => (
          <details className="group border-b border-line" key={each.question} open={firstOpen && at === 0}>
            <summary className="flex items-baseline justify-between gap-4 min-h-(--hit) py-3.5 font-semibold cursor-pointer list-none [&::-webkit-details-marker]:hidden after:content-['+'] after:font-normal after:text-lg/[1] after:text-fg-muted hover:underline hover:underline-offset-[0.18em] hover:decoration-2 group-open:after:content-['−']">
              {each.question}
            </summary>
            <div
              className="grid gap-2 justify-items-start pb-5 text-fg-muted max-w-(--measure) scroll-mt-20"
              id={each.id}
            >
              <Answer parts={partsOf(each)} />
              {each.id ? (
                <a className="link fine" href={`#${each.id}`}>
                  {m.faq_link()}
                  <span className="visually-hidden">: {each.question}</span>
                </a>
              ) : null}
            </div>
          </details>
        ))}
      </div>
    </TitledSection>
  );
}

/** schema.org requires that the content is visible on the page. */
export function faqJsonLd(questions: readonly Question[]) {
  return {
    '@context': 'https://schema.org',
    '@type': 'FAQPage',
    mainEntity: questions.map((each) => ({
      '@type': 'Question',
      name: each.question,
      acceptedAnswer: {
        '@type': 'Answer',
        text: partsOf(each)
          .map((part) => (typeof part === 'string' ? part : part.text))
          .join(''),
      },
    })),
  };
}
