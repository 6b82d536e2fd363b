import { proPromise } from '../../credits/contract.ts';
import type { DocumentSample } from '../contract.ts';
import { KeywordsPanel, QuestionsPanel, SummaryPanel } from './findings/panels.tsx';

/** In place of the drop box for a plan without the tool: what Pro is. */
export function LockedBox({ onUpgrade }: { onUpgrade: () => void }) {
  return (
    <section className="pdf-drop pdf-locked" aria-label="Part of Pro">
      <p className="pdf-drop-title">The PDF Analyzer is part of Pro</p>
      <p className="muted">{proPromise}</p>
      <p className="muted text-sm">Below is what it makes of a document.</p>
      <button type="button" className="btn btn-primary btn-lg" onClick={onUpgrade}>
        See Pro
      </button>
    </section>
  );
}

/** What the tool makes, from a text of ours. */
export function Sample({ sample }: { sample: DocumentSample }) {
  return (
    <section className="pdf-sample" aria-labelledby="pdf-sample">
      <p className="eyebrow">Sample</p>
      <h2 className="h2" id="pdf-sample">
        {sample.name}
      </h2>
      <p className="muted text-sm">
        A text of {sample.pages} pages that we wrote. The statements are ours too; the quotes below them were
        found by the same code that checks every answer here.
      </p>
      <div className="pdf-sample-columns">
        <SummaryPanel findings={sample.findings} />
        <div>
          <QuestionsPanel findings={sample.findings} />
          <KeywordsPanel findings={sample.findings} />
        </div>
      </div>
    </section>
  );
}
