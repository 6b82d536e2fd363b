import { type FormEvent, useEffect, useId, useRef } from 'react';
import type { RunControl } from '../../../generations/web/use-run.ts';
import { type AskedQuestion, documentLimits } from '../../contract.ts';
import { useProgress } from './progress.tsx';
import { Quotes, type ShowPlaces } from './quotes.tsx';

interface AskProps {
  questions: AskedQuestion[];
  run: RunControl;
  value: string;
  /** What the button says, with the price. */
  label: string;
  onChange: (value: string) => void;
  onAsk: (question: string) => void;
  onShow: ShowPlaces;
}

interface AnsweredProps {
  asked: AskedQuestion;
  onShow: ShowPlaces;
  /** Absent where it cannot be asked once more by now, or stands in the field. */
  onAgain?: () => void;
}

function Answered({ asked, onShow, onAgain }: AnsweredProps) {
  const { answer, state, error } = asked;
  if (state === 'queued' || state === 'running') return null;
  if (state !== 'done' || !answer)
    return (
      <>
        <p className="muted">{error ?? 'This question was stopped. You were not charged.'}</p>
        {onAgain ? (
          <p>
            <button type="button" className="btn btn-secondary" onClick={onAgain}>
              Ask again
            </button>
          </p>
        ) : null}
      </>
    );
  if (answer.statements.length === 0)
    return <p>The document does not answer this: no words of it were found that would.</p>;
  return (
    <>
      {answer.statements.map(({ text, quotes }) => (
        <div key={text}>
          <p dir="auto">{text}</p>
          <Quotes quotes={quotes} onShow={onShow} />
        </div>
      ))}
    </>
  );
}

/** Questions to the document and their answers, the newest at the end, above the field for the next. */
export function AskPanel({ questions, run, value, label, onChange, onAsk, onShow }: AskProps) {
  const id = useId();
  const { words } = useProgress(run.live);
  const busy = run.phase !== 'idle';
  const field = useRef<HTMLTextAreaElement>(null);
  const wasBusy = useRef(false);
  useEffect(() => {
    if (wasBusy.current && !busy && document.activeElement === document.body) field.current?.focus();
    wasBusy.current = busy;
  }, [busy]);
  const ask = (event: FormEvent) => {
    event.preventDefault();
    if (!busy && value.trim() !== '') onAsk(value.trim());
  };
  return (
    <div className="pdf-ask">
      {questions.length === 0 ? (
        <p className="muted text-sm">
          Ask something about this document. The answer quotes the words that it rests on, or says that there
          are none.
        </p>
      ) : null}
      <div className="pdf-qa">
        {questions.map((asked) => (
          <section key={asked.id}>
            <h2 dir="auto">{asked.question}</h2>
            <Answered
              asked={asked}
              onShow={onShow}
              onAgain={busy || value.trim() === asked.question ? undefined : () => onAsk(asked.question)}
            />
          </section>
        ))}
      </div>
      <p className="muted text-sm" role="status">
        {busy ? words : ''}
      </p>
      <form className="field" onSubmit={ask}>
        <label className="label" htmlFor={id}>
          Your question
        </label>
        <textarea
          ref={field}
          id={id}
          className="textarea"
          dir="auto"
          rows={2}
          maxLength={documentLimits.question}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) ask(event);
          }}
        />
        <div className="row">
          <button type="submit" className="btn btn-primary" aria-disabled={busy || value.trim() === ''}>
            {label}
          </button>
          {busy ? (
            <button type="button" className="btn btn-secondary" onClick={run.stop}>
              Stop
            </button>
          ) : null}
        </div>
      </form>
    </div>
  );
}
