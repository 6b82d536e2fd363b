import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { newId } from '../../../client/uuid.ts';
import type { Me } from '../../accounts/contract.ts';
import { priced } from '../../credits/web/price.ts';
import type { useRefusal } from '../../credits/web/use-refusal.tsx';
import type { DocumentView, Findings, Place } from '../contract.ts';
import { DocumentHead } from './document-head.tsx';
import { AskPanel } from './findings/ask.tsx';
import { Facts, FoundPanel } from './findings/found.tsx';
import { KeywordsPanel, QuestionsPanel, SummaryPanel } from './findings/panels.tsx';
import { useProgress } from './findings/progress.tsx';
import { Tabs } from './findings/tabs.tsx';
import { useRuns } from './use-runs.ts';

const Viewer = lazy(() => import('./viewer/viewer.tsx'));

interface DeskProps {
  document: DocumentView;
  me: Me | null;
  refusing: ReturnType<typeof useRefusal>;
  onCredits: (credits: number | null) => void;
  onDelete: () => void;
}

/** A document with what was found in it beside its pages; below 64 rem the pages are a tab of their own. */
export function DocumentDesk(props: DeskProps) {
  const { document, me, refusing, onDelete } = props;
  const { revalidate } = useRevalidator();
  const { analysis, question, form } = useRuns(props);
  const [tab, setTab] = useState('summary');
  const [shown, setShown] = useState<{ places: Place[] } | null>(null);
  const viewer = useRef<HTMLDivElement>(null);
  const progress = useProgress(analysis.live);
  const { parts } = progress;
  useEffect(() => {
    if (parts > 0) void revalidate();
  }, [parts, revalidate]);

  const wide = () => matchMedia('(min-width: 64rem)').matches;
  const show = (places: Place[]) => {
    setShown({ places });
    if (!wide()) setTab('document');
  };
  useEffect(() => {
    if (shown && tab === 'document')
      viewer.current?.querySelector<HTMLElement>('.pdf-sheet')?.focus({ preventScroll: true });
  }, [shown, tab]);

  const busy = analysis.phase !== 'idle';
  const done = document.analysis?.state === 'done';
  const analyse = () =>
    analysis.begin({ path: `/api/documents/${document.id}/analysis`, key: newId(), body: {} });
  const ask = (asked: string) =>
    question.begin({
      path: `/api/documents/${document.id}/questions`,
      key: newId(),
      body: { question: asked },
    });
  const panel = (show: (findings: Findings) => React.ReactNode) => (
    <FoundPanel document={document} busy={busy} words={progress.words}>
      {show}
    </FoundPanel>
  );
  const tabs = [
    {
      id: 'summary',
      label: 'Summary',
      panel: panel((findings) => (
        <>
          {done ? <Facts document={document} findings={findings} /> : null}
          <SummaryPanel findings={findings} onShow={show} />
        </>
      )),
    },
    {
      id: 'questions',
      label: 'Q&A',
      panel: panel((findings) => <QuestionsPanel findings={findings} onShow={show} />),
    },
    {
      id: 'keywords',
      label: 'Keywords',
      panel: panel((findings) => <KeywordsPanel findings={findings} onShow={show} />),
    },
    {
      id: 'ask',
      label: 'Ask',
      panel: (
        <AskPanel
          questions={document.questions}
          run={question}
          value={form.values.question}
          label={priced('Ask', me, 'question')}
          onChange={(value) => form.change({ question: value })}
          onAsk={ask}
          onShow={show}
        />
      ),
    },
    { id: 'document', label: 'Pages', className: 'pdf-narrow', panel: null },
  ];
  return (
    <>
      <DocumentHead document={document} me={me} run={analysis} onAnalyze={analyse} onDelete={onDelete} />
      {busy ? (
        <div className="pdf-progress">
          <span role="status">{progress.words}</span>
          <progress className="meter" aria-label="Analysis" value={progress.share ?? undefined} />
        </div>
      ) : null}
      {refusing.refusal &&
      !['unauthorized', 'plan_required', 'credits_exhausted'].includes(refusing.refusal.code) ? (
        <p className="notice notice-danger" role="alert">
          {refusing.refusal.text}
        </p>
      ) : null}
      <div className="pdf-desk" data-tab={tab}>
        <Tabs label="What was found" tabs={tabs} chosen={tab} onChoose={setTab} />
        <div ref={viewer} className="pdf-pane">
          <Suspense fallback={<div className="skeleton pdf-sheet-wait" />}>
            <Viewer id={document.id} pages={document.pages} shown={shown} />
          </Suspense>
        </div>
      </div>
    </>
  );
}
