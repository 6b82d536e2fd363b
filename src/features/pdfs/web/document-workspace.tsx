import { Trash2 } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation, useRevalidator } from 'react-router';
import { download } from '#client/download.ts';
import { readProblem } from '#client/problem-error.ts';
import type { Passage } from '#client/show-passage.ts';
import { readPassage, TargetPassage } from '#client/target-passage.tsx';
import type { Me } from '#features/accounts/contract.ts';
import { priceLabel } from '#features/credits/web/price-label.ts';
import type { useRefusal } from '#features/credits/web/use-refusal.tsx';
import { isRunning } from '#features/generations/contract.ts';
import { ExportMenu } from '#features/tools/web/export-menu.tsx';
import { HandOverItems } from '#features/tools/web/hand-over-items.tsx';
import { RunNotice } from '#features/tools/web/run-notice.tsx';
import { showResult } from '#features/tools/web/show-result.ts';
import { ToolColumns, ToolResult } from '#features/tools/web/tool-page.tsx';
import type { ToolRun } from '#features/tools/web/use-tool-run.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Tabs } from '#ui/tabs.tsx';
import { completeFindings, type DocumentView, type Findings, type PageMarks } from '../contract.ts';
import { DocumentForm } from './document-form.tsx';
import { AnswerList } from './findings/answer-list.tsx';
import { FindingsPanel, OmissionNotice } from './findings/findings-panel.tsx';
import { ShownMarks } from './findings/quote-list.tsx';
import { KeywordsPanel, QuestionsPanel, SummaryPanel } from './findings/result-panels.tsx';
import { useRunProgress } from './findings/use-run-progress.tsx';
import { useDocumentRuns } from './use-document-runs.ts';
import { useDocumentTab } from './use-document-tab.ts';

const DocumentViewer = lazy(() => import('./viewer/document-viewer.tsx'));

const formats = [
  { format: 'md', label: m.writer_format_md },
  { format: 'pdf', label: m.writer_format_pdf },
];

/** In a narrow window the pages are a tab; otherwise they are next to the tabs. */
const narrowOnly = 'xl:hidden [&[role=tabpanel]]:p-0';

/** Fetches the findings as exported Markdown, with the pages of each quote. */
async function findingsText(id: string): Promise<string> {
  const response = await fetch(`/api/documents/${id}/export?format=md`);
  if (!response.ok) throw await readProblem(response);
  return response.text();
}

interface DocumentWorkspaceProps {
  document: DocumentView;
  me: Me | null;
  price: string | null;
  refusing: ReturnType<typeof useRefusal>;
  setCredits: (credits: number | null | undefined) => void;
  onDelete: () => void;
}

function AnalysisNotice({
  document,
  run,
  onRetry,
}: Pick<DocumentWorkspaceProps, 'document'> & { run: ToolRun; onRetry: () => void }) {
  const { analysis, kept } = document;
  if (run.busy || isRunning(analysis?.state) || (analysis?.state === 'done' && !run.failure)) return null;
  return (
    <>
      <RunNotice
        run={analysis && { ...analysis, generationId: analysis.id, content: '' }}
        failure={run.failure}
        fallback={m.pdfs_failed()}
        onRetry={onRetry}
      />
      {analysis && kept ? <p className="fine">{m.pdfs_kept()}</p> : null}
    </>
  );
}

/** Returns the passage in the address if a search led to a page, and switches to the pages. */
function usePassageFromAddress(showPages: () => void): Passage | null {
  const { hash } = useLocation();
  const [target, setTarget] = useState<Passage | null>(null);
  const show = useRef(showPages);
  show.current = showPages;
  useEffect(() => {
    const passage = readPassage(hash);
    if (!passage || passage.page === null) return;
    setTarget(passage);
    show.current();
  }, [hash]);
  return target;
}

export function DocumentWorkspace(props: DocumentWorkspaceProps) {
  const { document, me, price, refusing, onDelete } = props;
  const { revalidate } = useRevalidator();
  const [shown, setShown] = useState<{ places: PageMarks[] } | null>(null);
  const viewer = useRef<HTMLDivElement>(null);
  const { tab, choose, showPages } = useDocumentTab(viewer);
  const findings = useRef<HTMLDivElement>(null);
  const target = usePassageFromAddress(showPages);
  const runs = useDocumentRuns(props);
  const { analysis, question, analyze } = runs;
  const progress = useRunProgress(analysis.live);
  const { parts } = progress;
  useEffect(() => {
    if (parts > 0) void revalidate();
  }, [parts, revalidate]);
  const ask = (text: string) => {
    choose('ask');
    runs.ask(text);
    requestAnimationFrame(showResult);
  };
  const show = (places: PageMarks[]) => {
    setShown({ places });
    showPages();
  };

  const done = completeFindings(document) !== null;
  const panel = (render: (findings: Findings) => React.ReactNode) => (
    <FindingsPanel document={document} busy={analysis.busy}>
      {render}
    </FindingsPanel>
  );
  const tabs = [
    {
      id: 'summary',
      label: m.pdfs_summary(),
      panel: panel((findings) => <SummaryPanel findings={findings} onShow={show} />),
    },
    {
      id: 'questions',
      label: m.pdfs_questions(),
      panel: panel((findings) => <QuestionsPanel findings={findings} onShow={show} />),
    },
    {
      id: 'keywords',
      label: m.pdfs_keywords(),
      panel: panel((findings) => <KeywordsPanel findings={findings} onShow={show} />),
    },
    {
      id: 'ask',
      label: m.pdfs_ask(),
      panel: (
        <AnswerList
          questions={document.questions}
          run={question}
          typed={runs.form.values.question.trim()}
          onAsk={ask}
          onShow={show}
        />
      ),
    },
    { id: 'document', label: m.pdfs_pages(), className: narrowOnly, panel: null },
  ];
  const actions = (
    <div className="flex flex-wrap items-center gap-1">
      {analysis.busy ? (
        <Button onClick={analysis.stop} aria-busy={analysis.phase === 'stopping'}>
          {m.common_stop()}
        </Button>
      ) : (
        <Button variant={done ? 'ghost' : 'primary'} onClick={analyze}>
          {priceLabel(done ? m.pdfs_analyze_again() : m.pdfs_analyze(), me, 'pdf')}
        </Button>
      )}
      {done ? (
        <ExportMenu
          formats={formats}
          onExport={(file) =>
            void download(`/api/documents/${document.id}/export?${new URLSearchParams(file)}`)
          }
        >
          <div className="menu-line" />
          <HandOverItems to={['writer', 'chat']} text={() => findingsText(document.id)} />
        </ExportMenu>
      ) : null}
      <IconButton label={m.common_delete_named({ title: document.name })} onClick={onDelete} Icon={Trash2} />
    </div>
  );
  const notices = (
    <>
      {analysis.busy ? (
        <div className="grid gap-2 text-sm">
          <span role="status">{progress.status}</span>
          <progress className="meter" aria-label={m.pdfs_analysis()} value={progress.share ?? undefined} />
        </div>
      ) : null}
      <AnalysisNotice document={document} run={analysis} onRetry={analyze} />
      <OmissionNotice document={document} />
    </>
  );
  return (
    <>
      <ToolColumns
        opened
        form={
          <DocumentForm
            document={document}
            me={me}
            price={price}
            runs={runs}
            onAsk={ask}
            onUpgrade={refusing.upgrade}
          />
        }
        result={
          <ToolResult
            label={m.pdfs_findings()}
            title={document.name}
            actions={actions}
            refusing={refusing}
            notices={notices}
          >
            <div className="grid xl:grid-cols-[1fr_1.15fr] xl:gap-6" data-findings>
              <div ref={findings} className="min-w-0">
                <TargetPassage box={findings} />
                <ShownMarks value={shown?.places ?? null}>
                  <Tabs label={m.pdfs_findings()} tabs={tabs} chosen={tab} onChoose={choose} />
                </ShownMarks>
              </div>
              <div
                ref={viewer}
                className={`min-w-0 xl:sticky xl:top-2 xl:self-start ${tab === 'document' ? '' : 'max-xl:hidden'}`}
              >
                <Suspense fallback={<div className="skeleton h-96" />}>
                  <DocumentViewer id={document.id} pages={document.pages} shown={shown} target={target} />
                </Suspense>
              </div>
            </div>
          </ToolResult>
        }
      />
      {refusing.dialog}
    </>
  );
}
