import { proPromise } from '../../credits/contract.ts';
import type { DocumentSample } from '../contract.ts';
import { KeywordsPanel, QuestionsPanel, SummaryPanel } from './findings/panels.tsx';

interface SampleProps {
  sample: DocumentSample;
  /** Present for a plan without the tool. */
  onUpgrade?: () => void;
}

/** What the tool makes, from a text of ours; above it, for a plan without the tool, what Pro is. */
export function Sample({ sample, onUpgrade }: SampleProps) {
  return (
    <section className="pdf-sample" aria-labelledby="pdf-sample">
      {onUpgrade ? (
        <div className="notice notice-info pdf-locked">
          <p>
            <strong>The PDF Analyzer is part of Pro.</strong> {proPromise}
          </p>
          <button type="button" className="btn btn-primary" onClick={onUpgrade}>
            See Pro
          </button>
        </div>
      ) : null}
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
