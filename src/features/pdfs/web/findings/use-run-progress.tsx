import { useSyncExternalStore } from 'react';
import type { LiveText } from '#features/generations/web/live-text.ts';
import { progressLines } from '#features/generations/web/progress-lines.ts';
import { m } from '#messages';
import type { ProgressLine } from '../../contract.ts';

const steps = {
  summary: m.pdfs_step_summary,
  searching: m.pdfs_searching,
  answering: m.pdfs_step_answering,
} as const;

function describeProgress(lines: ProgressLine[]): string {
  const last = lines.findLast((line) => !('parts' in line));
  if (!last) return m.pdfs_starting();
  if ('step' in last) return steps[last.step]();
  return 'page' in last ? m.pdfs_reading_page({ page: last.page, of: last.of }) : m.pdfs_starting();
}

export function useRunProgress(live: LiveText | null): {
  status: string;
  share: number | null;
  parts: number;
} {
  const text = useSyncExternalStore(
    (listener) => live?.subscribe(listener) ?? (() => undefined),
    () => live?.snapshot() ?? '',
    () => '',
  );
  const lines = progressLines<ProgressLine>(text);
  const part = lines.findLast((line) => 'parts' in line);
  const page = lines.findLast((line) => 'page' in line);
  const done = lines.some((line) => 'step' in line && line.step === 'summary');
  const share = done ? 1 : part && 'parts' in part ? part.parts / part.of : page ? 0 : null;
  return { status: describeProgress(lines), share, parts: part && 'parts' in part ? part.parts : 0 };
}
