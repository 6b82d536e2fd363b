import { Download, Trash2 } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import { announce } from '../../../client/announce.ts';
import { useKeptForm } from '../../../client/kept-form.ts';
import { toast } from '../../../client/page-events.ts';
import { newId } from '../../../client/uuid.ts';
import type { Me } from '../../accounts/contract.ts';
import { priced } from '../../credits/web/price.ts';
import type { useRefusal } from '../../credits/web/use-refusal.tsx';
import { useRun } from '../../generations/web/use-run.ts';
import type { DocumentView, Place, StartedDocumentRun } from '../contract.ts';
import { sizeInWords } from './files/size.ts';
import { AskPanel } from './findings/ask.tsx';
import { KeywordsPanel, QuestionsPanel, SummaryPanel } from './findings/panels.tsx';
import { useProgress } from './findings/progress.tsx';
import { Tabs } from './findings/tabs.tsx';

const Viewer = lazy(() => import('./viewer/viewer.tsx'));
const Thumbnail = lazy(() => import('./viewer/thumbnail.tsx'));

interface DeskProps {
  document: DocumentView;
  me: Me | null;
  refusing: ReturnType<typeof useRefusal>;
  onCredits: (credits: number | null) => void;
  onDelete: () => void;
  onReset: () => void;
}

const isOpen = (state: string | undefined) => state === 'queued' || state === 'running';

/** The two runs of a document: its analysis, and the answer to a question. Each is taken up again after a reload. */
function useRuns({ document, refusing, onCredits }: Pick<DeskProps, 'document' | 'refusing' | 'onCredits'>) {
  const { revalidate } = useRevalidator();
  const form = useKeptForm(`pdf-question:${document.id}`, { question: '' }, null);
  const { refuse } = refusing;
  const analysis = useRun<StartedDocumentRun>({
    onStarted: ({ credits }) => {
      onCredits(credits);
      void revalidate();
    },
    onEnd: (end) => {
      onCredits(end.credits);
      void revalidate();
      if (end.state === 'done') announce('The analysis is complete.');
      else if (end.error) toast({ title: 'Error', text: end.error.message, kind: 'danger' });
    },
    onRefused: refuse,
  });
  const question = useRun<StartedDocumentRun>({
    onStarted: ({ credits }) => {
      onCredits(credits);
      form.change({ question: '' });
      form.forget();
      void revalidate();
    },
    onEnd: (end) => {
      onCredits(end.credits);
      void revalidate();
      if (end.state === 'done') announce('The answer is there.');
      else if (end.error) toast({ title: 'Error', text: end.error.message, kind: 'danger' });
    },
    onRefused: refuse,
  });
  const openAnalysis = isOpen(document.analysis?.state) ? document.analysis?.id : undefined;
  const openQuestion = document.questions.findLast(({ state }) => isOpen(state))?.id;
  const [followAnalysis, followQuestion] = [analysis.follow, question.follow];
  useEffect(() => {
    if (openAnalysis) followAnalysis(openAnalysis);
  }, [openAnalysis, followAnalysis]);
  useEffect(() => {
    if (openQuestion) followQuestion(openQuestion);
  }, [openQuestion, followQuestion]);
  return { analysis, question, form };
}

function pagesUsed({ pages, analysis }: DocumentView): string {
  const used = analysis?.findings?.pagesUsed ?? 0;
  return used >= pages
    ? pages === 1
      ? 'Its one page was read.'
      : `All ${pages} pages were read.`
    : `Pages 1 to ${used} of ${pages} were read.`;
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
  const findings = document.analysis?.findings ?? null;
  const done = document.analysis?.state === 'done';
  const analyse = () =>
    analysis.begin({ path: `/api/documents/${document.id}/analysis`, key: newId(), body: {} });
  const ask = (asked: string) =>
    question.begin({
      path: `/api/documents/${document.id}/questions`,
      key: newId(),
      body: { question: asked },
    });
  const wait = busy ? (
    <p className="muted">{progress.words}. What is found appears here part by part.</p>
  ) : (
    <p className="muted">
      {document.analysis && !done
        ? (document.analysis.error ?? 'The analysis was stopped. You were not charged.')
        : 'Press Analyze to see what this document says.'}
    </p>
  );
  const panel = (content: React.ReactNode) => (findings && (busy || done) ? content : wait);
  const facts = (
    <>
      {done && findings ? (
        <p className="muted text-sm pdf-facts">
          {pagesUsed(document)}{' '}
          {findings.unsupported > 0
            ? `${findings.unsupported} ${findings.unsupported === 1 ? 'statement was' : 'statements were'} left out: the document has no words that hold ${findings.unsupported === 1 ? 'it' : 'them'}.`
            : null}
        </p>
      ) : null}
    </>
  );
  const tabs = [
    {
      id: 'summary',
      label: 'Summary',
      panel: panel(
        findings ? (
          <>
            {facts}
            <SummaryPanel findings={findings} onShow={show} />
          </>
        ) : null,
      ),
    },
    {
      id: 'questions',
      label: 'Q&A',
      panel: panel(findings ? <QuestionsPanel findings={findings} onShow={show} /> : null),
    },
    {
      id: 'keywords',
      label: 'Keywords',
      panel: panel(findings ? <KeywordsPanel findings={findings} onShow={show} /> : null),
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
      <header className="pdf-doc-head">
        <Suspense fallback={<span className="pdf-thumb skeleton" />}>
          <Thumbnail id={document.id} />
        </Suspense>
        <div className="pdf-doc-name">
          <p className="eyebrow">
            <Link to="/tools/pdf">PDF Analyzer</Link>
          </p>
          <h1 className="h2">{document.name}</h1>
          <p className="muted text-sm">
            {document.pages === 1 ? '1 page' : `${document.pages} pages`} · {sizeInWords(document.bytes)}
          </p>
          {document.note ? <p className="muted text-sm">{document.note}</p> : null}
        </div>
        <div className="pdf-doc-acts">
          {busy ? (
            <button
              type="button"
              className="btn btn-secondary"
              onClick={analysis.stop}
              aria-busy={analysis.phase === 'stopping'}
            >
              Stop
            </button>
          ) : (
            <button
              type="button"
              className={`btn ${done ? 'btn-secondary' : 'btn-primary'}`}
              onClick={analyse}
            >
              {priced(done ? 'Analyze again' : 'Analyze', me, 'pdf')}
            </button>
          )}
          {done ? (
            <a className="btn btn-secondary" href={`/api/documents/${document.id}/export?format=md`} download>
              <Download size={16} strokeWidth={1.75} aria-hidden="true" />
              Export .md
            </a>
          ) : null}
          {done ? (
            <a
              className="btn btn-secondary"
              href={`/api/documents/${document.id}/export?format=pdf`}
              download
            >
              Export .pdf
            </a>
          ) : null}
          <button
            type="button"
            className="btn btn-ghost btn-icon"
            aria-label={`Delete ${document.name}`}
            onClick={onDelete}
          >
            <Trash2 size={16} strokeWidth={1.75} aria-hidden="true" />
          </button>
        </div>
      </header>
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
