import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { Me } from '../../accounts/contract.ts';
import { priced } from '../../credits/web/price.ts';
import type { useRefusal } from '../../credits/web/use-refusal.tsx';
import { type DocumentView, type Findings, type Place, wholeFindings } from '../contract.ts';
import { DocumentHead } from './document-head.tsx';
import { AskPanel } from './findings/ask.tsx';
import { Facts, FoundPanel, LeftOut, RunNote } from './findings/found.tsx';
import { KeywordsPanel, QuestionsPanel, SummaryPanel } from './findings/panels.tsx';
import { useProgress } from './findings/progress.tsx';
import { ShownPlaces } from './findings/quotes.tsx';
import { Tabs } from './findings/tabs.tsx';
import { RefusalNotice } from './refusal-notice.tsx';
import { useRuns } from './use-runs.ts';
import { useTab } from './use-tab.ts';

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
  const [shown, setShown] = useState<{ places: Place[] } | null>(null);
  const viewer = useRef<HTMLDivElement>(null);
  const { tab, choose, showPages } = useTab(viewer);
  const { analysis, question, form, analyse, ask } = useRuns(props, tab === 'ask');
  const progress = useProgress(analysis.live);
  const { parts } = progress;
  useEffect(() => {
    if (parts > 0) void revalidate();
  }, [parts, revalidate]);

  const show = (places: Place[]) => {
    setShown({ places });
    showPages();
  };

  const busy = analysis.phase !== 'idle';
  const done = wholeFindings(document) !== null;
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
      <RefusalNotice refusal={refusing.refusal} />
      <RunNote document={document} busy={busy} />
      <LeftOut document={document} />
      <div className="pdf-desk" data-tab={tab}>
        <ShownPlaces value={shown?.places ?? null}>
          <Tabs label="What was found" tabs={tabs} chosen={tab} onChoose={choose} />
        </ShownPlaces>
        <div ref={viewer} className="pdf-pane">
          <Suspense fallback={<div className="skeleton pdf-sheet-wait" />}>
            <Viewer id={document.id} pages={document.pages} shown={shown} />
          </Suspense>
        </div>
      </div>
    </>
  );
}
