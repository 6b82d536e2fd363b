import type { ReactNode } from 'react';
import { type DocumentView, extentOf, type Findings, notReached, wholeFindings } from '../../contract.ts';

function leftOut(unsupported: number): string {
  if (unsupported === 0) return '';
  const [what, them] = unsupported === 1 ? ['statement was', 'it'] : ['statements were', 'them'];
  return `${unsupported} ${what} left out: the document has no words that hold ${them}.`;
}

/** Which pages the findings are made from, and how much was left out. */
export function Facts({ document, findings }: { document: DocumentView; findings: Findings }) {
  return (
    <p className="muted text-sm pdf-facts">
      {extentOf(document, findings.pagesUsed)} {leftOut(findings.unsupported)}
    </p>
  );
}

/** What of the document the findings leave out, where they leave something out. */
export function LeftOut({ document }: { document: DocumentView }) {
  const findings = wholeFindings(document);
  const text = [document.note, findings ? notReached(document, findings.pagesUsed) : '']
    .filter(Boolean)
    .join(' ');
  return text ? <p className="notice notice-warning">{text}</p> : null;
}

interface FoundPanelProps {
  document: DocumentView;
  busy: boolean;
  /** What the analysis is at. */
  words: string;
  children: (findings: Findings) => ReactNode;
}

/** Why the last analysis gave nothing, in one line; nothing where there is none to tell of. */
export function RunNote({ document, busy }: Pick<FoundPanelProps, 'document' | 'busy'>) {
  const { analysis, kept } = document;
  if (busy || !analysis || ['queued', 'running', 'done'].includes(analysis.state)) return null;
  const why = analysis.error ?? 'The analysis was stopped. You were not charged.';
  const stopped = analysis.state === 'stopped';
  return (
    <p className={stopped ? 'muted text-sm' : 'notice notice-danger'} role={stopped ? 'status' : 'alert'}>
      {kept ? `${why} What was found before is below.` : why}
    </p>
  );
}

/** What was found, as far as it is there; a whole analysis shows until a later one is whole too. */
export function FoundPanel({ document, busy, words, children }: FoundPanelProps) {
  const findings = wholeFindings(document) ?? (busy ? document.analysis?.findings : null);
  if (findings) return children(findings);
  if (busy) return <p className="muted">{words}. What is found appears here part by part.</p>;
  return <p className="muted">Press Analyze to see what this document says.</p>;
}
