import { isRunning } from '#features/generations/contract.ts';
import type { ToolRun } from '#features/tools/web/use-tool-run.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import type { AskedQuestion } from '../../contract.ts';
import { FindingMenu, withMenuClass } from './finding-menu.tsx';
import { QuoteList, type ShowMarks } from './quote-list.tsx';
import { qaClass, qaHeadClass, qaItemClass } from './result-panels.tsx';
import { useRunProgress } from './use-run-progress.tsx';

interface AnsweredProps {
  item: AskedQuestion;
  onShow: ShowMarks;
  onRetry?: () => void;
}

function AnsweredQuestion({ item, onShow, onRetry }: AnsweredProps) {
  const { answer, state, error } = item;
  if (isRunning(state)) return null;
  if (state !== 'done' || !answer)
    return (
      <>
        <p className="muted">{error ?? m.pdfs_question_stopped()}</p>
        {onRetry ? (
          <p>
            <Button onClick={onRetry}>{m.pdfs_ask_again()}</Button>
          </p>
        ) : null}
      </>
    );
  if (answer.statements.length === 0) return <p>{m.pdfs_unanswered()}</p>;
  return (
    <>
      {answer.statements.map(({ text, quotes }) => (
        <div key={text}>
          <p dir="auto">{text}</p>
          <QuoteList quotes={quotes} onShow={onShow} />
        </div>
      ))}
      <FindingMenu heading={item.question} statements={answer.statements} />
    </>
  );
}

interface AnswerListProps {
  questions: AskedQuestion[];
  run: ToolRun;
  typed: string;
  onAsk: (question: string) => void;
  onShow: ShowMarks;
}

export function AnswerList({ questions, run, typed, onAsk, onShow }: AnswerListProps) {
  const { status } = useRunProgress(run.live);
  return (
    <>
      {questions.length === 0 ? <p className="muted text-sm">{m.pdfs_ask_intro()}</p> : null}
      <div className={qaClass}>
        {questions.map((item) => (
          <section key={item.id} className={`${qaItemClass} ${withMenuClass}`}>
            <h3 className={qaHeadClass} dir="auto">
              {item.question}
            </h3>
            <AnsweredQuestion
              item={item}
              onShow={onShow}
              onRetry={run.busy || typed === item.question ? undefined : () => onAsk(item.question)}
            />
          </section>
        ))}
      </div>
      <p className="muted text-sm" role="status">
        {run.busy ? status : ''}
      </p>
    </>
  );
}
