import { lazy, Suspense, useMemo, useState, useSyncExternalStore } from 'react';
import { countWords } from '../../../../shared/words.ts';
import type { GenerationState } from '../../../generations/contract.ts';
import type { LiveText } from '../../../generations/web/live-text.ts';
import type { WorkView } from '../../../works/contract.ts';
import type { WordRange } from '../../contract.ts';
import type { TextControl } from '../use-text.ts';
import type { Writing } from '../use-writing.ts';
import { WordMeter } from '../word-meter.tsx';
import { type Passage, placeNow, replaced } from './places.ts';

const Document = lazy(() => import('./document.tsx'));
const Suggestion = lazy(() => import('../refine/suggestion.tsx'));

const endings: Partial<Record<GenerationState, string>> = {
  stopped: 'Stopped. This is what had arrived.',
  failed: 'This suggestion broke off; nothing was charged for it.',
  interrupted: 'This suggestion broke off; nothing was charged for it.',
};

const none = () => () => undefined;

interface TextViewProps {
  work: WorkView;
  range: WordRange;
  control: TextControl;
  writing: Writing;
  editable: boolean;
  price: string | null;
  onRefine: (
    text: string,
    passage: Pick<Passage, 'from' | 'to'>,
    wish: Parameters<Writing['refine']>[3],
  ) => void;
  onDecide: (content: string | null) => Promise<void>;
}

/** The suggestion of a work as far as it has come. */
function useSuggestion(work: WorkView, { live, brought, kind }: Writing): string {
  const reading: LiveText | null = kind === 'passage' ? live : null;
  const arriving = useSyncExternalStore(
    reading?.subscribe ?? none,
    () => reading?.snapshot() ?? '',
    () => '',
  );
  const { proposal } = work;
  if (reading) return arriving;
  if (proposal?.content) return proposal.content;
  return brought && brought.generationId === proposal?.generationId ? brought.text : '';
}

/** A finished text: its words, its blocks, and the suggestion for one of its passages. */
export function TextView(props: TextViewProps) {
  const { work, range, control, writing, editable, price, onRefine, onDecide } = props;
  const { text } = control;
  const words = useMemo(() => countWords(text), [text]);
  const after = useSuggestion(work, writing);
  const [busy, setBusy] = useState(false);
  const { proposal } = work;
  const from = Number(proposal?.request.from ?? 0);
  const before = String(proposal?.request.text ?? '');
  const place = proposal ? placeNow(text, from, before) : null;
  const decided = (content: string | null) => {
    setBusy(true);
    void onDecide(content).finally(() => setBusy(false));
  };
  const running = writing.kind === 'passage' && writing.phase !== 'idle';
  const view = (
    <Suspense fallback={null}>
      <Suggestion
        before={before}
        after={after}
        running={running}
        ending={(proposal && endings[proposal.state]) ?? null}
        placeable={place !== null}
        busy={busy || writing.phase === 'stopping'}
        onAccept={() => place && decided(replaced(text, place, after))}
        onDiscard={() => decided(null)}
        onStop={writing.stop}
      />
    </Suspense>
  );
  return (
    <>
      <div className="doc-status">
        <WordMeter words={words} range={range} />
      </div>
      <Suspense fallback={<p className="muted doc-live">Loading the text…</p>}>
        <Document
          text={text}
          editable={editable && !proposal && writing.phase === 'idle'}
          suggestion={proposal ? { place, view } : null}
          price={price}
          onChange={control.change}
          onTyping={control.typing}
          onRefine={onRefine}
          onUndo={control.undo}
          onRedo={control.redo}
        />
      </Suspense>
    </>
  );
}
