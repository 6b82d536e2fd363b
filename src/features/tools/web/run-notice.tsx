import type { FinishReason, GenerationState } from '#features/generations/contract.ts';
import { m } from '#messages';
import { joinSentences } from '#shared/join-sentences.ts';
import { Button } from '#ui/button.tsx';

interface EndedRun {
  generationId: string | null;
  state: GenerationState;
  error: string | null;
  creditsCharged: number;
  finishReason?: FinishReason | null;
  note?: string | null;
  content: string;
}

interface RunNoticeProps {
  run: EndedRun | null;
  /** A later run that failed and has nothing to show. */
  failure: { id: string; text: string } | null;
  fallback: string;
  onRetry: ((later: boolean) => void) | null;
  onContinue?: { label: string; run: () => void };
}

interface RunMessage {
  text: string;
  kind: 'danger' | 'info' | 'warning';
  canRetry?: boolean;
  canContinue?: boolean;
}

export const hasFailed = ({ state }: { state: GenerationState }): boolean =>
  state === 'failed' || state === 'interrupted';

/** Some of the API's texts already say so. */
function withoutCharge(text: string): string {
  const uncharged = m.tools_not_charged();
  return text.includes(uncharged) ? text : joinSentences(text, uncharged);
}

const cutTexts: Partial<Record<FinishReason, () => string>> = {
  length: m.tools_continue_length,
  incomplete: m.tools_continue_incomplete,
};

function messageFor(run: EndedRun, fallback: string): RunMessage | null {
  const { state, error, content, creditsCharged, note, finishReason } = run;
  const arrived = content !== '';
  if (hasFailed(run)) {
    const text = error ?? fallback;
    return {
      text: `${creditsCharged === 0 ? withoutCharge(text) : text}${arrived ? ` ${m.tools_text_kept()}` : ''}`,
      kind: 'danger',
      canRetry: true,
      canContinue: arrived && state === 'interrupted',
    };
  }
  if (state === 'stopped')
    return {
      text: arrived ? m.common_stopped_kept() : m.tools_stopped_early(),
      kind: 'info',
      canRetry: true,
      canContinue: arrived,
    };
  const text = note ?? (finishReason ? cutTexts[finishReason]?.() : undefined);
  return text ? { text, kind: 'warning' } : null;
}

export function RunNotice({ run, failure, fallback, onRetry, onContinue }: RunNoticeProps) {
  const later = failure !== null && failure.id !== run?.generationId;
  const message: RunMessage | null = later
    ? { text: withoutCharge(failure.text || fallback), kind: 'danger', canRetry: true }
    : run && messageFor(run, fallback);
  if (!message) return null;
  return (
    // Not a live region, because the toast was already announced.
    <div className={`notice notice-${message.kind} row`}>
      <p className="flex-[1_1_16rem]">{message.text}</p>
      {message.canContinue && onContinue ? (
        <Button variant="primary" onClick={onContinue.run}>
          {onContinue.label}
        </Button>
      ) : null}
      {message.canRetry && onRetry ? (
        <Button onClick={() => onRetry(later)}>{m.common_try_again()}</Button>
      ) : null}
    </div>
  );
}
