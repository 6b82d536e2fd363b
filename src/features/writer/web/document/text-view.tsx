import { lazy, Suspense, useMemo, useState } from 'react';
import type { GenerationState } from '#features/generations/contract.ts';
import { useLiveText } from '#features/generations/web/live-text.ts';
import type { TextDetail } from '#features/texts/contract.ts';
import { m } from '#messages';
import { textLength } from '#shared/text-length.ts';
import type { Length } from '../../contract.ts';
import { LengthMeter } from '../length-meter.tsx';
import type { TextEditor } from '../use-text-editor.ts';
import { endedRunText, type WriterRuns } from '../use-writer-runs.ts';
import { type Passage, relocatePassage, replaceRange } from './passage.ts';

const TextDocument = lazy(() => import('./text-document.tsx'));
const Suggestion = lazy(() => import('./suggestion.tsx'));

const endings: Partial<Record<GenerationState, () => string>> = {
  stopped: m.common_stopped_kept,
  failed: m.writer_suggestion_failed,
  interrupted: m.writer_suggestion_failed,
};

interface TextViewProps {
  work: TextDetail;
  requested: Length;
  settings: string;
  control: TextEditor;
  runs: WriterRuns;
  editable: boolean;
  price: string | null;
  onRefine: (
    text: string,
    passage: Pick<Passage, 'from' | 'to'>,
    request: Parameters<WriterRuns['refine']>[3],
  ) => void;
  onDecide: (content: string | null) => Promise<void>;
}

function useSuggestion({ proposal }: TextDetail, { rewriting }: WriterRuns): string {
  const liveText = useLiveText(rewriting.live);
  return liveText ?? (proposal?.content || endedRunText(rewriting, proposal?.generationId));
}

export function TextView(props: TextViewProps) {
  const { work, requested, settings, control, runs, editable, price, onRefine, onDecide } = props;
  const { text } = control;
  const length = useMemo(() => textLength(text), [text]);
  const after = useSuggestion(work, runs);
  const [busy, setBusy] = useState(false);
  const { proposal } = work;
  const from = Number(proposal?.request.from ?? 0);
  const before = String(proposal?.request.text ?? '');
  const place = proposal ? relocatePassage(text, from, before) : null;
  const decide = (content: string | null) => {
    setBusy(true);
    void onDecide(content).finally(() => setBusy(false));
  };
  const { rewriting, idle } = runs;
  const view = (
    <Suspense fallback={null}>
      <Suggestion
        before={before}
        after={after}
        running={rewriting.busy}
        endMessage={(proposal && endings[proposal.state]?.()) ?? null}
        canApply={place !== null}
        busy={busy || rewriting.phase === 'stopping'}
        onDecide={(decision) => {
          if (decision === 'discarded') decide(null);
          else if (place) decide(replaceRange(text, place, after));
        }}
        onStop={rewriting.stop}
      />
    </Suspense>
  );
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-y border-line py-3">
        <LengthMeter text={length} requested={requested} />
        <p className="fine">{settings}</p>
      </div>
      <Suspense fallback={<p className="muted doc-live">{m.writer_loading()}</p>}>
        <TextDocument
          text={text}
          editable={editable && !proposal && idle}
          suggestion={proposal ? { place, view } : null}
          price={price}
          onChange={control.change}
          onTyping={control.trackTyping}
          onRefine={onRefine}
          onUndo={control.undo}
          onRedo={control.redo}
        />
      </Suspense>
    </>
  );
}
