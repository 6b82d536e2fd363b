/** A piece of an answer: words, or words that lead somewhere. */
type AnswerPart = string | { text: string; href: string };

/** A question with its answer. The id is the address of the answer: /pricing#cancel. */
export interface Question {
  id: string;
  question: string;
  answer: string | readonly AnswerPart[];
}

const partsOf = ({ answer }: Question): readonly AnswerPart[] =>
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

/** Questions with their answers folded below; an address with an answer’s id opens it, without scripts too. */
export function Questions({ questions }: { questions: readonly Question[] }) {
  return (
    <section className="page-section page-columns" id="questions" aria-labelledby="questions-title">
      <h2 className="h2" id="questions-title">
        Questions
      </h2>
      <div className="folded-questions">
        {questions.map((each) => (
          <details key={each.id}>
            <summary>{each.question}</summary>
            <div id={each.id}>
              <Answer parts={partsOf(each)} />
              <a className="link fine" href={`#${each.id}`}>
                Link to this answer<span className="visually-hidden">: {each.question}</span>
              </a>
            </div>
          </details>
        ))}
      </div>
    </section>
  );
}

/** The same questions for search engines, by schema.org: what is visible and nothing else. */
export function faqPage(questions: readonly Question[]) {
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
