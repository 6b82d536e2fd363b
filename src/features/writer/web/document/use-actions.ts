import { useNavigate } from 'react-router';
import { toast } from '../../../../client/page-events.ts';
import type { WorkView } from '../../../works/contract.ts';
import {
  decideProposal,
  deleteWork,
  renameWork,
  restoreVersion,
  restoreWork,
} from '../../../works/web/api.ts';
import { writerLimits } from '../../contract.ts';
import { downloadText } from '../api.ts';
import type { Wish } from '../refine/refine-bar.tsx';
import type { TextControl } from '../use-text.ts';
import type { Writing } from '../use-writing.ts';
import type { Passage } from './places.ts';

const tooLong = `Please select less: ${writerLimits.selection.toLocaleString('en-US')} characters at most.`;

interface ActionParts {
  work: WorkView;
  control: TextControl;
  writing: Writing;
  onRefused: (error: unknown) => void;
  onChanged: () => void;
}

/** What can be done with a text beside changing it; refusals are told of by the page. */
export function useActions({ work, control, writing, onRefused, onChanged }: ActionParts) {
  const navigate = useNavigate();
  const { id, version, proposal } = work;
  const path = `/tools/writer/${id}`;
  const newest = work.versions.find(({ words }) => words > 0)?.id ?? version.id;
  const isOlder = version.id !== newest;
  const then = (done: Promise<unknown>) => done.then(onChanged).catch(onRefused);
  const undelete = () => void restoreWork(id).then(() => navigate(path), onRefused);
  return {
    isOlder,
    rename: (title: string) => void then(renameWork(id, title)),
    // What was changed by hand belongs below what comes now: it is saved before.
    async show(versionId: string) {
      if ((await control.save()) !== null)
        void navigate(versionId === newest ? path : `${path}?version=${versionId}`);
    },
    async remove() {
      try {
        await deleteWork(id);
        void navigate('/tools/writer');
        toast({ text: 'Text deleted.', action: { label: 'Undo', run: undelete } });
      } catch (error) {
        onRefused(error);
      }
    },
    async restore(versionId: string) {
      if ((await control.save()) === null) return;
      try {
        await restoreVersion(id, versionId);
        toast({ text: 'Restored as the newest version.', kind: 'success' });
        if (isOlder) void navigate(path);
        else onChanged();
      } catch (error) {
        onRefused(error);
      }
    },
    /** What is shown, saved before. */
    async exportAs(format: string) {
      const held = isOlder ? version.id : await control.save();
      if (held !== null) await downloadText(id, held, format).catch(onRefused);
    },
    /** The server looks for the passage in what it has: the text that holds it is shown and saved before. */
    async refine(text: string, { from, to }: Pick<Passage, 'from' | 'to'>, wish: Wish) {
      if (to - from > writerLimits.selection) return toast({ text: tooLong, kind: 'info' });
      if (text !== control.text) control.change(text);
      const held = await control.save();
      if (held !== null) writing.refine(id, held, { from, text: text.slice(from, to) }, wish);
    },
    /** Takes the suggestion with the text that holds it, or with null lets it go. */
    async decide(content: string | null) {
      const decision =
        content === null ? { decision: 'discarded' as const } : { decision: 'accepted' as const, content };
      if (content !== null && (await control.save()) === null) return;
      if (proposal) await then(decideProposal(id, proposal.id, decision));
    },
  };
}
