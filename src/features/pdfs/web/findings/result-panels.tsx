import { useState } from 'react';
import { announce } from '#client/announce.ts';
import { m } from '#messages';
import type { Findings, Keyword } from '../../contract.ts';
import { FindingMenu, withMenuClass } from './finding-menu.tsx';
import { QuoteList, type ShowMarks } from './quote-list.tsx';

export const qaClass = 'grid max-w-(--measure) divide-y divide-line wrap-anywhere';
export const qaItemClass = 'grid gap-2 py-4 first:pt-2';
export const qaHeadClass = 'text-md font-semibold';

interface PanelProps {
  findings: Findings;
  onShow?: ShowMarks;
}

export function SummaryPanel({ findings, onShow }: PanelProps) {
  return (
    <ol className={qaClass}>
      {findings.summary.map(({ text, quotes }) => (
        <li key={text} className={`${withMenuClass} py-4 first:pt-2`}>
          <p dir="auto">{text}</p>
          <QuoteList quotes={quotes} onShow={onShow} />
          {onShow ? <FindingMenu statements={[{ text, quotes }]} /> : null}
        </li>
      ))}
    </ol>
  );
}

export function QuestionsPanel({ findings, onShow }: PanelProps) {
  return (
    <div className={qaClass}>
      {findings.questions.map(({ question, answer, quotes }) => (
        <section key={question} className={`${qaItemClass} ${withMenuClass}`}>
          <h3 className={qaHeadClass} dir="auto">
            {question}
          </h3>
          <p dir="auto">{answer}</p>
          <QuoteList quotes={quotes} onShow={onShow} />
          {onShow ? <FindingMenu heading={question} statements={[{ text: answer, quotes }]} /> : null}
        </section>
      ))}
    </div>
  );
}

/** Each press on a keyword shows its next place. */
export function KeywordsPanel({ findings, onShow }: PanelProps) {
  const [shown, setShown] = useState<{ word: string; index: number } | null>(null);
  const step = ({ word, places }: Keyword) => {
    const index = shown?.word === word ? (shown.index + 1) % places.length : 0;
    const place = places[index];
    if (!place || !onShow) return;
    setShown({ word, index });
    onShow([place]);
    announce(m.pdfs_keyword_at({ word, index: index + 1, count: places.length, page: place.page }));
  };
  return (
    <>
      {onShow ? <p className="muted text-sm">{m.pdfs_keywords_hint()}</p> : null}
      <ul className="mt-4 flex flex-wrap gap-2">
        {findings.keywords.map((keyword) => {
          const { word, count, places } = keyword;
          const current = shown?.word === word ? shown.index + 1 : null;
          const label = (
            <>
              <bdi>{word}</bdi>{' '}
              <span className="text-xs text-fg-muted in-data-current:text-inherit">
                {current === null ? count : `${current}/${places.length}`}
              </span>
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
