import { type TextRunsOptions, useTextRuns } from '#features/texts/web/use-text-runs.ts';
import type { ToolRun } from '#features/tools/web/use-tool-run.ts';
import { m } from '#messages';
import { finalText, type WriterSettings } from '../contract.ts';
import type { RephraseRequest } from './document/refine-bar.tsx';

export type WriterRuns = ReturnType<typeof useWriterRuns>;

/** Returns the text of an ended run until the page has loaded it from the server. */
export const endedRunText = ({ ended }: ToolRun, generationId: string | null | undefined): string =>
  ended && ended.id === generationId ? finalText(ended.text).trim() : '';

export function useWriterRuns(options: TextRunsOptions) {
  const { writing, rewriting, write, rewrite } = useTextRuns(options, {
    writing: { started: m.writer_writing, done: m.writer_success },
    rewriting: { started: m.writer_rewriting, done: m.texts_suggestion_waiting },
  });
  const idle = !writing.busy && !rewriting.busy;
  return {
    writing,
    rewriting,
    /** Only one run at a time. */
    idle,
    generate({ prompt, tone, length, type }: WriterSettings, workId: string | null) {
      if (idle) write({ path: '/api/write', body: { prompt, tone, length, type, workId } });
    },
    continueText(workId: string, versionId: string) {
      if (idle) write({ path: `/api/write/${workId}/continue`, body: { versionId } });
    },
    refine(
      workId: string,
      versionId: string,
      part: { from: number; text: string },
      request: RephraseRequest,
    ) {
      if (idle) rewrite({ path: `/api/write/${workId}/edits`, body: { versionId, ...part, ...request } });
    },
  };
}
