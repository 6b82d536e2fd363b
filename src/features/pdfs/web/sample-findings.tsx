import { m } from '#messages';
import type { DocumentSample } from '../contract.ts';
import { KeywordsPanel, QuestionsPanel, SummaryPanel } from './findings/result-panels.tsx';

export function SampleFindings({ sample }: { sample: DocumentSample }) {
  return (
    <section className="grid gap-4" aria-labelledby="pdf-sample">
      <p className="eyebrow">{m.common_sample()}</p>
      <h2 className="h3" id="pdf-sample">
        {sample.name}
      </h2>
      <p className="muted text-sm">{m.pdfs_sample_text({ count: sample.pages })}</p>
      <div lang="en" className="grid gap-8 xl:grid-cols-[1.4fr_1fr] xl:gap-12">
        <SummaryPanel findings={sample.findings} />
        <div className="min-w-0">
          <QuestionsPanel findings={sample.findings} />
          <KeywordsPanel findings={sample.findings} />
        </div>
      </div>
    </section>
  );
}
