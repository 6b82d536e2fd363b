import { useCallback, useEffect, useRef, useState } from 'react';
import { announce } from '../../../client/announce.ts';
import { toast } from '../../../client/page-events.ts';
import { inCredits } from '../../credits/contract.ts';
import type { StartedRun } from '../../generations/contract.ts';
import { type RunControl, type RunEnd, useRun } from '../../generations/web/use-run.ts';
import type { WorkView } from '../../works/contract.ts';
import { keptText, type WriterSettings, writerTexts } from '../contract.ts';
import type { Passage } from './document/places.ts';
import type { Wish } from './refine/refine-bar.tsx';

interface Started extends StartedRun {
  work: { id: string };
  proposal?: { id: string };
  credits: number | null;
}

const open = (state: string | undefined) => state === 'queued' || state === 'running';

/** The run of a work that is to be read: its version's, or its suggestion's. */
function runningIn(work: WorkView | null): { id: string; kind: 'text' | 'passage' } | null {
  if (work?.version.generationId && open(work.version.state))
    return { id: work.version.generationId, kind: 'text' };
  return work?.proposal && open(work.proposal.state)
    ? { id: work.proposal.generationId, kind: 'passage' }
    : null;
}

interface Handlers {
  work: WorkView | null;
  setCredits: (credits: number | null | undefined) => void;
  /** A run has begun in this work. */
  onStarted: (workId: string) => void;
  /** What the server has is to be read anew. */
  onChanged: () => void;
  onRefused: (error: unknown) => void;
  /** A run has failed, with what is to be said of it. */
  onFailed: (text: string, kind: Writing['kind']) => void;
}

export interface Writing extends RunControl {
  kind: 'text' | 'passage';
  /** What the last run brought, until the page has it from the server. */
  brought: { generationId: string; text: string } | null;
  generate(settings: WriterSettings, workId: string | null, forget: () => void): void;
  /** Goes on with a version that was stopped. */
  goOn(workId: string, versionId: string): void;
  refine(workId: string, versionId: string, part: Pick<Passage, 'from'> & { text: string }, wish: Wish): void;
}

/** The texts and suggestions that are being written, one at a time, and how each of them ends. */
export function useWriting({
  work,
  setCredits,
  onStarted,
  onChanged,
  onRefused,
  onFailed,
}: Handlers): Writing {
  const [kind, setKind] = useState<'text' | 'passage'>(runningIn(work)?.kind ?? 'text');
  const [brought, setBrought] = useState<Writing['brought']>(null);
  const forget = useRef<(() => void) | null>(null);

  const onEnd = (end: RunEnd, text: string) => {
    setBrought({ generationId: end.id, text: keptText(text).trim() });
    setCredits(end.credits);
    if (end.error) onFailed(end.error.message || writerTexts.failed, kind);
    else if (end.state === 'stopped') announce('Stopped. What has arrived is kept.');
    else if (kind === 'passage') announce('The suggestion is ready. Accept or discard it.');
    else {
      const used = end.creditsCharged > 0 ? ` Used ${inCredits(end.creditsCharged)}.` : '';
      toast({ title: 'Success!', text: writerTexts.success + used, kind: 'success' });
    }
    onChanged();
  };
  const run = useRun<Started>({
    onStarted(started) {
      forget.current?.();
      forget.current = null;
      setCredits(started.credits);
      onStarted(started.work.id);
    },
    onEnd,
    onRefused,
  });

  const { begin, follow } = run;
  const found = runningIn(work);
  const [foundId, foundKind] = [found?.id, found?.kind];
  useEffect(() => {
    if (!foundId || !foundKind || brought?.generationId === foundId) return;
    setKind(foundKind);
    follow(foundId);
  }, [foundId, foundKind, follow, brought]);

  const generate = useCallback(
    (settings: WriterSettings, workId: string | null, forgetForm: () => void) => {
      setKind('text');
      forget.current = forgetForm;
      const { prompt, tone, length, type } = settings;
      begin({ path: '/api/write', body: { prompt, tone, length, type, workId } });
    },
    [begin],
  );
  const goOn = useCallback(
    (workId: string, versionId: string) => {
      setKind('text');
      begin({ path: `/api/write/${workId}/continue`, body: { versionId } });
    },
    [begin],
  );
  const refine = useCallback(
    (workId: string, versionId: string, { from, text }: { from: number; text: string }, wish: Wish) => {
      setKind('passage');
      begin({ path: `/api/write/${workId}/edits`, body: { versionId, from, text, ...wish } });
    },
    [begin],
  );
  return { ...run, kind, brought, generate, goOn, refine };
}
