import type { FinishReason, GenerationState } from '#features/generations/contract.ts';
import { m } from '#messages';

/** How a run has ended, as the page has it from the server. */
interface EndedRun {
  generationId: string | null;
  state: GenerationState;
  error: string | null;
  creditsCharged: number;
  finishReason?: FinishReason | null;
  /** What else is to be said of it. */
  note?: string | null;
  /** What it brought. */
  content: string;
}

interface RunNoticeProps {
  run: EndedRun | null;
  /** A run after it that failed, of which the page has nothing else. */
  failure: { id: string; text: string } | null;
  /** Text for a failure that says nothing itself. */
  fallback: string;
  /** Asks for the same again: for what failed after it, or for what it was asked for. */
  onRetry: ((later: boolean) => void) | null;
  /** Goes on where it was cut short, with what the button says. */
  onContinue?: { label: string; run: () => void };
}

interface Said {
  text: string;
  kind: 'danger' | 'info' | 'warning';
  again?: boolean;
  goesOn?: boolean;
}

/** Whether a run came to no end of its own. */
export const hasFailed = ({ state }: { state: GenerationState }): boolean =>
  state === 'failed' || state === 'interrupted';

/** Some of the API's texts say it themselves. */
function withoutCharge(text: string): string {
  const uncharged = m.tools_not_charged();
  return text.includes(uncharged) ? text : `${text} ${uncharged}`;
}

const cuts: Partial<Record<FinishReason, () => string>> = {
  length: m.tools_continue_length,
  incomplete: m.tools_continue_incomplete,
};

function saidOf(run: EndedRun, fallback: string): Said | null {
  const { state, error, content, creditsCharged, note, finishReason } = run;
  const arrived = content !== '';
  if (hasFailed(run)) {
    const text = error ?? fallback;
    return {
      text: `${creditsCharged === 0 ? withoutCharge(text) : text}${arrived ? ` ${m.tools_text_kept()}` : ''}`,
      kind: 'danger',
      again: true,
      goesOn: arrived && state === 'interrupted',
    };
  }
  if (state === 'stopped')
    return {
      text: arrived ? m.common_stopped_kept() : m.tools_stopped_early(),
      kind: 'info',
      again: true,
      goesOn: arrived,
    };
  const text = note ?? (finishReason ? cuts[finishReason]?.() : undefined);
  return text ? { text, kind: 'warning' } : null;
}

/** How what is shown, or the run after it, has ended, where that is to be said: what was kept or charged, and what to do next. */
export function RunNotice({ run, failure, fallback, onRetry, onContinue }: RunNoticeProps) {
  const later = failure !== null && failure.id !== run?.generationId;
  const said: Said | null = later
    ? { text: withoutCharge(failure.text || fallback), kind: 'danger', again: true }
    : run && saidOf(run, fallback);
  if (!said) return null;
  return (
    // Its toast has said it to those who listen.
    <div className={`notice notice-${said.kind} row`}>
      <p className="flex-[1_1_16rem]">{said.text}</p>
      {said.goesOn && onContinue ? (
        <button type="button" className="btn btn-primary" onClick={onContinue.run}>
          {onContinue.label}
        </button>
      ) : null}
      {said.again && onRetry ? (
        <button type="button" className="btn btn-secondary" onClick={() => onRetry(later)}>
          {m.common_try_again()}
        </button>
      ) : null}
    </div>
  );
}
