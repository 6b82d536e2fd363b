import type { ReactNode } from 'react';
import type { DocumentView, Findings } from '../../contract.ts';

function pagesUsed(pages: number, used: number): string {
  if (used < pages) return `Pages 1 to ${used} of ${pages} were read.`;
  return pages === 1 ? 'Its one page was read.' : `All ${pages} pages were read.`;
}

function leftOut(unsupported: number): string {
  if (unsupported === 0) return '';
  const [what, them] = unsupported === 1 ? ['statement was', 'it'] : ['statements were', 'them'];
  return `${unsupported} ${what} left out: the document has no words that hold ${them}.`;
}

/** Which pages the findings are made from, and how much was left out. */
export function Facts({ document, findings }: { document: DocumentView; findings: Findings }) {
  return (
    <p className="muted text-sm pdf-facts">
      {pagesUsed(document.pages, findings.pagesUsed)} {leftOut(findings.unsupported)}
    </p>
  );
}

interface FoundPanelProps {
  document: DocumentView;
  busy: boolean;
  /** What the analysis is at. */
  words: string;
  children: (findings: Findings) => ReactNode;
}

/** What was found, as far as it is there; else why it is not. */
export function FoundPanel({ document, busy, words, children }: FoundPanelProps) {
  const { analysis } = document;
  if (analysis?.findings && (busy || analysis.state === 'done')) return children(analysis.findings);
  if (busy) return <p className="muted">{words}. What is found appears here part by part.</p>;
  return (
    <p className="muted">
      {analysis && analysis.state !== 'done'
        ? (analysis.error ?? 'The analysis was stopped. You were not charged.')
        : 'Press Analyze to see what this document says.'}
    </p>
  );
}
