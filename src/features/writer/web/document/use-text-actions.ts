import { useNavigate } from 'react-router';
import { download } from '#client/download.ts';
import { toast } from '#client/page-events.ts';
import type { TextDetail } from '#features/texts/contract.ts';
import { decideProposal, deleteText, renameText, restoreText } from '#features/texts/web/texts-api.ts';
import { m } from '#messages';
import type { Paper } from '#shared/paper.ts';
import { writerLimits } from '../../contract.ts';
import type { TextEditor } from '../use-text-editor.ts';
import type { WriterRuns } from '../use-writer-runs.ts';
import type { Passage } from './passage.ts';
import type { RephraseRequest } from './refine-bar.tsx';

interface ActionParts {
  work: TextDetail | null;
  control: TextEditor;
  runs: WriterRuns;
  older: boolean;
  onRefused: (error: unknown) => void;
  onChanged: () => void;
}

export function useTextActions({ work, control, runs, older, onRefused, onChanged }: ActionParts) {
  const navigate = useNavigate();
  const id = work?.id ?? '';
  const reloadAfter = (action: Promise<unknown>) => action.then(onChanged).catch(onRefused);
  const undelete = () => void restoreText(id).then(() => navigate(`/tools/writer/${id}`), onRefused);
  return {
    rename: (title: string) => void reloadAfter(renameText(id, title)),
    async remove() {
      try {
        await deleteText(id);
        void navigate('/tools/writer');
        toast({ text: m.writer_deleted(), action: { label: m.common_undo(), run: undelete } });
      } catch (error) {
        onRefused(error);
      }
    },
    async exportAs(file: { format: string; paper?: Paper }) {
      const version = older ? work?.version.id : await control.save();
      if (!version) return;
      await download(`/api/write/${id}/export?${new URLSearchParams({ version, ...file })}`);
    },
    /** Saves the text first, because the server looks the passage up in the stored version. */
    async refine(text: string, { from, to }: Pick<Passage, 'from' | 'to'>, request: RephraseRequest) {
      if (to - from > writerLimits.selection)
        return toast({ text: m.writer_select_less({ count: writerLimits.selection }), kind: 'info' });
      if (text !== control.text) control.change(text);
      const savedId = await control.save();
      if (savedId !== null) runs.refine(id, savedId, { from, text: text.slice(from, to) }, request);
    },
    async decide(content: string | null) {
      const decision =
        content === null ? { decision: 'discarded' as const } : { decision: 'accepted' as const, content };
      if (content !== null && (await control.save()) === null) return;
      if (work?.proposal) await reloadAfter(decideProposal(id, work.proposal.id, decision));
    },
  };
}
