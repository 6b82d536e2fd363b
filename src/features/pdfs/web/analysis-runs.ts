import { type BackgroundRun, backgroundRuns } from '#features/tools/web/background-runs.ts';
import { m } from '#messages';
import { joinSentences } from '#shared/join-sentences.ts';

interface AnalysisRun extends BackgroundRun {
  document: string;
  name: string;
}

export const analysisRun = (run: string, { id, name }: { id: string; name: string }): AnalysisRun => ({
  run,
  path: `/tools/pdf/${id}`,
  document: id,
  name,
});

export const analysisRuns = backgroundRuns<AnalysisRun>({
  stored: {
    key: 'analyses-running',
    parse(value) {
      const { run, document, name } = Object(value) as Record<string, unknown>;
      return typeof run === 'string' && typeof document === 'string' && typeof name === 'string'
        ? analysisRun(run, { id: document, name })
        : null;
    },
    format: ({ run, document, name }) => ({ run, document, name }),
  },
  notice({ name }, { state, error }) {
    if (state === 'done') return { text: m.pdfs_analysis_done({ name }), kind: 'success' };
    if (state === 'stopped') return null;
    const text = joinSentences(m.pdfs_analysis_failed({ name }), error?.message);
    return { title: m.common_error(), text, kind: 'danger' };
  },
});
