import { useEffect, useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { announce, prepareAnnouncer } from '../../../client/announce.ts';
import { toast } from '../../../client/page-events.ts';
import { inCredits } from '../../credits/contract.ts';
import { type RunControl, type RunEnd, useRun } from '../../generations/web/use-run.ts';
import type { StartedProposal, StartedVersion, WorkView } from '../../works/contract.ts';
import { scriptTexts } from '../contract.ts';
import type { FormValues } from './form/script-form.tsx';
import type { RewriteWish } from './rewrite/rewrite-form.tsx';

const runs = (state: string | undefined) => state === 'queued' || state === 'running';

/** Where the script stands below the form, its place comes into view. */
function showScript(): void {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (matchMedia('(width < 64rem)').matches)
    document.querySelector('.script-main')?.scrollIntoView({ behavior: still ? 'auto' : 'smooth' });
}

/** A run that came to nothing, as the reader is told of it. */
export interface Failure {
  id: string;
  text: string;
}

/** Tells how a script has ended; a failure stands on the page too. */
function tellEnd({ state, error, creditsCharged }: RunEnd): void {
  const used = creditsCharged > 0 ? ` Used ${inCredits(creditsCharged)}.` : '';
  if (error) toast({ title: 'Error', text: error.message, kind: 'danger' });
  else if (state === 'done') toast({ title: 'Success!', text: scriptTexts.success + used, kind: 'success' });
  else announce('Stopped.');
}

export interface ScriptRuns {
  writing: RunControl;
  rewriting: RunControl;
  /** All text of the last run that ended here, until the page has its version. */
  ended: { id: string; text: string } | null;
  /** The last script that was asked for here came to nothing. */
  failure: Failure | null;
  write(values: FormValues): void;
  /** Asks for a part of this version anew. */
  rewrite(wish: RewriteWish, versionId: string): void;
}

interface Hearing {
  work: WorkView | null;
  onStarted: (workId: string) => void;
  onCredits: (credits: number | null | undefined) => void;
  onRefused: (error: unknown) => void;
}

/** The two kinds of run that a script has: writing a version, and rewriting a part of one. Both are taken up again. */
export function useScript({ work, onStarted, onCredits, onRefused }: Hearing): ScriptRuns {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [ended, setEnded] = useState<ScriptRuns['ended']>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => prepareAnnouncer(), []);

  const writing = useRun<StartedVersion>({
    onStarted(started) {
      onCredits(started.credits);
      onStarted(started.work.id);
      announce('The script is being written.');
      void navigate(`/tools/script/${started.work.id}`, { preventScrollReset: true });
      requestAnimationFrame(showScript);
    },
    onEnd(end, text) {
      setEnded({ id: end.id, text });
      onCredits(end.credits);
      if (end.error) setFailure({ id: end.id, text: `${end.error.message} Nothing was charged.` });
      tellEnd(end);
      void revalidate();
    },
    onRefused,
  });
  const rewriting = useRun<StartedProposal>({
    onStarted(started) {
      onCredits(started.credits);
      announce('The scene is being rewritten.');
      void revalidate();
    },
    onEnd(end, text) {
      setEnded({ id: end.id, text });
      onCredits(end.credits);
      announce(end.state === 'done' ? 'The proposal is ready.' : 'The rewriting has ended.');
      if (end.error) toast({ title: 'Error', text: end.error.message, kind: 'danger' });
      void revalidate();
    },
    onRefused,
  });

  const version = work?.version;
  const running = runs(version?.state) ? (version?.generationId ?? null) : null;
  const proposed = runs(work?.proposal?.state) ? (work?.proposal?.generationId ?? null) : null;
  const { follow } = writing;
  const { follow: followProposal } = rewriting;
  useEffect(() => {
    if (running && running !== ended?.id) follow(running);
  }, [running, ended, follow]);
  useEffect(() => {
    if (proposed && proposed !== ended?.id) followProposal(proposed);
  }, [proposed, ended, followProposal]);

  return {
    writing,
    rewriting,
    ended,
    failure,
    write({ scene, style, minutes, characters }) {
      const body = {
        scene,
        style,
        minutes: minutes === '' ? null : Number(minutes),
        characters,
        workId: work?.id ?? null,
      };
      setFailure(null);
      writing.begin({ path: '/api/scripts', body });
    },
    rewrite(wish, versionId) {
      if (!work) return;
      const body = { versionId, ...wish };
      rewriting.begin({ path: `/api/scripts/${work.id}/rewrites`, body });
    },
  };
}
