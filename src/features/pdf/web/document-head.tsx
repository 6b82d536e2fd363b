import { Download, Trash2 } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import type { Me } from '../../accounts/contract.ts';
import { priced } from '../../credits/web/price.ts';
import type { RunControl } from '../../generations/web/use-run.ts';
import { type DocumentView, wholeFindings } from '../contract.ts';
import { sizeInWords } from './files/size.ts';

const Thumbnail = lazy(() => import('./viewer/thumbnail.tsx'));

interface HeadProps {
  document: DocumentView;
  me: Me | null;
  run: RunControl;
  onAnalyze: () => void;
  onDelete: () => void;
}

/** The document's facts, and what can be done with it. */
export function DocumentHead({ document, me, run, onAnalyze, onDelete }: HeadProps) {
  const busy = run.phase !== 'idle';
  const done = wholeFindings(document) !== null;
  return (
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
      </div>
      <div className="pdf-doc-acts">
        {busy ? (
          <button
            type="button"
            className="btn btn-secondary"
            onClick={run.stop}
            aria-busy={run.phase === 'stopping'}
          >
            Stop
          </button>
        ) : (
          <button
            type="button"
            className={`btn ${done ? 'btn-secondary' : 'btn-primary'}`}
            onClick={onAnalyze}
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
          <a className="btn btn-secondary" href={`/api/documents/${document.id}/export?format=pdf`} download>
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
  );
}
