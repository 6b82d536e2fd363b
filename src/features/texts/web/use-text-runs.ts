import { isRunning } from '#features/generations/contract.ts';
import type { RunRequest } from '#features/generations/web/run-stream.ts';
import { type ToolRun, useToolRun } from '#features/tools/web/use-tool-run.ts';
import type { StartedProposal, StartedVersion, TextDetail } from '../contract.ts';

export interface TextRunsOptions {
  work: TextDetail | null;
  setCredits: (credits: number | null | undefined) => void;
  onStarted: (workId: string) => void;
  onChanged: () => void;
  onRefused: (error: unknown) => void;
}

type RunMessages = Parameters<typeof useToolRun>[0]['messages'];

export function useTextRuns(
  { work, setCredits, onStarted, onChanged, onRefused }: TextRunsOptions,
  messages: { writing: RunMessages; rewriting: RunMessages },
) {
  const writing = useToolRun<StartedVersion>({
    shown: work?.version,
    setCredits,
    onStarted: (started) => onStarted(started.work.id),
    onEnd: onChanged,
    onRefused,
    primary: true,
    messages: messages.writing,
  });
  const rewriting = useToolRun<StartedProposal>({
    shown: isRunning(work?.version.state) ? null : work?.proposal,
    setCredits,
    onStarted: onChanged,
    onEnd: onChanged,
    onRefused,
    messages: messages.rewriting,
  });
  const start = (run: ToolRun) => (request: RunRequest) => {
    for (const each of [writing, rewriting]) each.clear();
    run.start(request);
  };
  return { writing, rewriting, write: start(writing), rewrite: start(rewriting) };
}
