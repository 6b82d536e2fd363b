import { type Dispatch, type SetStateAction, useEffect } from 'react';
import { useNavigate } from 'react-router';
import { request } from '#client/api-request.ts';
import { isRunning } from '#features/generations/contract.ts';
import { type BackgroundRun, backgroundRuns } from '#features/tools/web/background-runs.ts';
import { m } from '#messages';
import type { TextDetail, TextSummary } from '../contract.ts';

export interface TextPage {
  works: TextSummary[];
  next: string | null;
}

interface TextRun extends BackgroundRun {
  work: string;
}

const fetchText = (id: string) => request<TextDetail>(`/api/works/${id}`);

const textRuns = backgroundRuns<TextRun>({
  stored: null,
  async notice({ work }) {
    const { title, version, versions, proposal } = await fetchText(work);
    if (proposal) return { text: m.texts_suggestion_ready({ title }), kind: 'info' };
    const { state } = versions[0] ?? version;
    if (state === 'failed' || state === 'interrupted')
      return { text: m.texts_failed({ title }), kind: 'info' };
    return state === 'done' ? { text: m.texts_ready({ title }), kind: 'info' } : null;
  },
});

const runsOf = ({ id, feature, versions, proposal }: TextDetail): TextRun[] =>
  [...versions, ...(proposal ? [proposal] : [])]
    .filter(({ state }) => isRunning(state))
    .map(({ generationId }) => ({ run: generationId ?? '', path: `/tools/${feature}/${id}`, work: id }));

/** Updates a list while one of its texts is being written. @param current the text whose page reports its own end. */
export function useRunningTexts(
  page: TextPage,
  setPage: Dispatch<SetStateAction<TextPage>>,
  current: string | null,
): void {
  const navigate = useNavigate();
  useEffect(() => {
    const refresh = async (id: string) => {
      const text = await fetchText(id);
      const runs = runsOf(text);
      for (const run of runs) textRuns.watch(run, (path) => void navigate(path));
      if (runs.length > 0) return;
      const { title, updatedAt, version } = text;
      const ended = { title, updatedAt, words: version.words, running: false };
      setPage((previous) => ({
        ...previous,
        works: previous.works.map((row) => (row.id === id ? { ...row, ...ended } : row)),
      }));
    };
    // There is nothing to report for a text that is gone or cannot be fetched.
    for (const { id, running } of page.works)
      if (running && id !== current) refresh(id).catch(() => undefined);
    return textRuns.onEnded(({ work }) => void refresh(work).catch(() => undefined));
  }, [page, setPage, current, navigate]);
}
