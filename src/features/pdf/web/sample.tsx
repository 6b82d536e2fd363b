import type { DocumentSample } from '../contract.ts';
import { KeywordsPanel, QuestionsPanel, SummaryPanel } from './findings/panels.tsx';

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
