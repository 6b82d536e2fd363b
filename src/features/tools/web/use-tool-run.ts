import { useCallback, useEffect, useState } from 'react';
import { announce, prepareAnnouncer } from '#client/announce.ts';
import { toast } from '#client/page-events.ts';
import { type GenerationState, isRunning, type StartedRun } from '#features/generations/contract.ts';
import { type RunControl, type RunEnd, useRun } from '#features/generations/web/use-run.ts';
import { m } from '#messages';
import { showResult } from './show-result.ts';

interface ServerRun {
  generationId: string | null;
  state: GenerationState;
}

interface ToolRunOptions<S extends StartedRun> {
  shown: ServerRun | null | undefined;
  setCredits: (credits: number | null | undefined) => void;
  onStarted: (started: S) => void;
  onEnd: (end: RunEnd) => void;
  onRefused: (error: unknown) => void;
  /** The page's main run: its result is scrolled into view, and a toast reports its end. */
  primary?: boolean;
  messages: { started: () => string; done: () => string };
}

export interface ToolRun extends RunControl {
  busy: boolean;
  /** Kept until the page has the result from the server. */
  ended: { id: string; text: string } | null;
  failure: { id: string; text: string } | null;
  clear(): void;
}

/**
 * Repeating a request finds the same run until its outcome is known (`idempotency-keys.ts`), so that a press after a
 * lost answer does not pay twice.
 */
export function useToolRun<S extends StartedRun & { credits: number | null }>({
  shown,
  setCredits,
  onStarted,
  onEnd,
  onRefused,
  primary,
  messages,
}: ToolRunOptions<S>): ToolRun {
  const [ended, setEnded] = useState<ToolRun['ended']>(null);
  const [failure, setFailure] = useState<ToolRun['failure']>(null);
  useEffect(prepareAnnouncer, []);
  const run = useRun<S>({
    onStarted(started) {
      setFailure(null);
      setCredits(started.credits);
      announce(messages.started());
      onStarted(started);
      if (primary) requestAnimationFrame(showResult);
    },
    onEnd(end, text) {
      setEnded({ id: end.id, text });
      setCredits(end.credits);
      const { error, state, creditsCharged } = end;
      if (error) {
        setFailure({ id: end.id, text: error.message });
        toast({ title: m.common_error(), text: error.message, kind: 'danger' });
      } else if (state === 'done' && primary) {
        const done = messages.done();
        const text = creditsCharged > 0 ? m.tools_done_credits({ done, count: creditsCharged }) : done;
        toast({ title: m.common_success(), text, kind: 'success' });
      } else announce(state === 'done' ? messages.done() : m.common_stopped());
      onEnd(end);
    },
    onRefused,
  });
  const clear = useCallback(() => setFailure(null), []);
  const { follow } = run;
  const open = shown && isRunning(shown.state) ? shown.generationId : null;
  useEffect(() => {
    if (open && open !== ended?.id) follow(open);
  }, [open, ended, follow]);
  return { ...run, busy: run.phase !== 'idle', ended, failure, clear };
}
