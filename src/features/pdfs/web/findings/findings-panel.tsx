import type { ReactNode } from 'react';
import { LazyNotifyOffer } from '#features/tools/web/lazy-notify-offer.tsx';
import { m } from '#messages';
import { joinSentences } from '#shared/join-sentences.ts';
import {
  completeFindings,
  type DocumentView,
  describeExtent,
  describeUnreadPages,
  type Findings,
} from '../../contract.ts';

export function FindingsFacts({ document }: { document: DocumentView }) {
  const findings = completeFindings(document);
  if (!findings) return null;
  return (
    <p className="fine">
      {joinSentences(
        describeExtent(document, findings.pagesUsed),
        findings.unsupported > 0 && m.pdfs_left_out({ count: findings.unsupported }),
      )}
    </p>
  );
}

export function OmissionNotice({ document }: { document: DocumentView }) {
  const findings = completeFindings(document);
  const text = joinSentences(document.note, findings && describeUnreadPages(document, findings.pagesUsed));
  return text ? <p className="notice notice-warning">{text}</p> : null;
}

interface FindingsPanelProps {
  document: DocumentView;
  busy: boolean;
  children: (findings: Findings) => ReactNode;
}

/** Shows the last complete analysis until a newer one is complete. */
export function FindingsPanel({ document, busy, children }: FindingsPanelProps) {
  const findings = completeFindings(document) ?? (busy ? document.analysis?.findings : null);
  if (findings) return children(findings);
  if (busy)
    return (
      <div className="grid justify-items-start gap-2">
        <p className="muted">{m.pdfs_partial()}</p>
        <LazyNotifyOffer />
      </div>
    );
  return <p className="muted">{m.pdfs_press_analyze()}</p>;
}
