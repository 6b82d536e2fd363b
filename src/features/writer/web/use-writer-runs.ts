import { type TextRuns, type TextRunsOptions, useTextRuns } from '#features/texts/web/use-text-runs.ts';
import type { ToolRun } from '#features/tools/web/use-tool-run.ts';
import { m } from '#messages';
import { finalText, type WriterSettings } from '../contract.ts';
import type { RephraseRequest } from './document/refine-bar.tsx';
import type { Passage } from './document/text-blocks.ts';

export interface WriterRuns extends Pick<TextRuns, 'writing' | 'rewriting'> {
  idle: boolean;
  generate(settings: WriterSettings, workId: string | null): void;
  goOn(workId: string, versionId: string): void;
  refine(
    workId: string,
    versionId: string,
    part: Pick<Passage, 'from'> & { text: string },
    wish: RephraseRequest,
  ): void;
}

/** Until the page has from the server what became of it. */
export const broughtBy = ({ ended }: ToolRun, generationId: string | null | undefined): string =>
  ended && ended.id === generationId ? finalText(ended.text).trim() : '';

export function useWriterRuns(options: TextRunsOptions): WriterRuns {
  const { writing, rewriting, write, rewrite } = useTextRuns(options, {
    writing: { begun: m.writer_writing, done: m.writer_success },
    rewriting: { begun: m.writer_rewriting, done: m.texts_suggestion_waiting },
  });
  const idle = !writing.busy && !rewriting.busy;
  return {
    writing,
    rewriting,
    idle,
    generate: ({ prompt, tone, length, type }, workId) => {
      if (idle) write({ path: '/api/write', body: { prompt, tone, length, type, workId } });
    },
    goOn: (workId, versionId) => {
      if (idle) write({ path: `/api/write/${workId}/continue`, body: { versionId } });
    },
    refine: (workId, versionId, { from, text }, wish) => {
      if (idle) rewrite({ path: `/api/write/${workId}/edits`, body: { versionId, from, text, ...wish } });
    },
  };
}
