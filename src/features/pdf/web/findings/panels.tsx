import { useState } from 'react';
import { announce } from '../../../../client/announce.ts';
import type { Findings, Keyword } from '../../contract.ts';
import { Quotes, type ShowPlaces } from './quotes.tsx';

interface PanelProps {
  findings: Findings;
  onShow?: ShowPlaces;
}

export function SummaryPanel({ findings, onShow }: PanelProps) {
  return (
    <ol className="pdf-statements">
      {findings.summary.map(({ text, quotes }) => (
        <li key={text}>
          <p dir="auto">{text}</p>
          <Quotes quotes={quotes} onShow={onShow} />
        </li>
      ))}
    </ol>
  );
}

export function QuestionsPanel({ findings, onShow }: PanelProps) {
  return (
    <div className="pdf-qa">
      {findings.questions.map(({ question, answer, quotes }) => (
        <section key={question}>
          <h2 dir="auto">{question}</h2>
          <p dir="auto">{answer}</p>
          <Quotes quotes={quotes} onShow={onShow} />
        </section>
      ))}
    </div>
  );
}

/** Each press on a keyword goes on to its next place. */
export function KeywordsPanel({ findings, onShow }: PanelProps) {
  const [at, setAt] = useState<{ word: string; index: number } | null>(null);
  const step = ({ word, places }: Keyword) => {
    const index = at?.word === word ? (at.index + 1) % places.length : 0;
    const place = places[index];
    if (!place || !onShow) return;
    setAt({ word, index });
    onShow([place]);
    announce(`${word}: ${index + 1} of ${places.length}, page ${place.page}`);
  };
  return (
    <>
      <p className="muted text-sm">
        Counted in the text of the document.{onShow ? ' Press a keyword to go from place to place.' : ''}
      </p>
      <ul className="pdf-keywords">
        {findings.keywords.map((keyword) => {
          const { word, count, places } = keyword;
          const current = at?.word === word ? at.index + 1 : null;
          const label = (
            <>
              <bdi>{word}</bdi>{' '}
              <span className="pdf-count">{current === null ? count : `${current}/${places.length}`}</span>
            </>
          );
          return (
            <li key={word}>
              {onShow ? (
                <button
                  type="button"
                  className="pdf-keyword"
                  data-current={current !== null || undefined}
                  onClick={() => step(keyword)}
                >
                  {label}
                </button>
              ) : (
                <span className="pdf-keyword">{label}</span>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}
