import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { toast } from '../../../../client/page-events.ts';
import type { WorkView } from '../../../works/contract.ts';
import type { WordRange } from '../../contract.ts';
import { decide, deleteText, downloadText, renameText, restoreVersion, undeleteText } from '../api.ts';
import type { TextControl } from '../use-text.ts';
import type { Writing } from '../use-writing.ts';
import { TextView } from './text-view.tsx';
import { Title } from './title.tsx';
import { Toolbar } from './toolbar.tsx';

const Versions = lazy(() => import('./versions.tsx'));

interface TextPanelProps {
  work: WorkView;
  control: TextControl;
  writing: Writing;
  range: WordRange;
  price: string | null;
  onRefused: (error: unknown) => void;
  onChanged: () => void;
}

/** Milliseconds in which a deletion can be taken back from its toast. */
const UNDO_MS = 6_000;

/** A text with its title and all that can be done with it. */
export function TextPanel({ work, control, writing, range, price, onRefused, onChanged }: TextPanelProps) {
  const navigate = useNavigate();
  const [listed, setListed] = useState(false);
  const { id, version } = work;
  const path = `/tools/writer/${id}`;
  const newest = work.versions.find(({ words }) => words > 0)?.id ?? version.id;
  const isOlder = version.id !== newest;
  const brought = writing.brought?.generationId === version.generationId ? writing.brought?.text : '';
  const shown: TextControl = control.text || !brought ? control : { ...control, text: brought };
  const then = (work: Promise<unknown>) => work.then(onChanged).catch(onRefused);

  const remove = () =>
    deleteText(id)
      .then(() => {
        const back = () =>
          undeleteText(id)
            .then(() => navigate(path))
            .catch(onRefused);
        void navigate('/tools/writer');
        toast({ text: 'Text deleted.', action: { label: 'Undo', run: () => void back() }, lasts: UNDO_MS });
      })
      .catch(onRefused);
  const exportAs = async (format: string) => {
    const held = isOlder ? version.id : await control.save();
    if (held !== null) await downloadText(id, held, format).catch(onRefused);
  };
  const restore = (versionId: string) =>
    restoreVersion(id, versionId)
      .then(() => {
        toast({ text: 'Restored as the newest version.', kind: 'success' });
        if (isOlder) void navigate(path);
        else onChanged();
      })
      .catch(onRefused);
  const refine: Parameters<typeof TextView>[0]['onRefine'] = async (text, { from, to }, wish) => {
    const held = await control.save();
    if (held !== null) writing.refine(id, held, { from, text: text.slice(from, to) }, wish);
  };
  const onDecide = async (content: string | null) => {
    if (work.proposal) await then(decide(id, work.proposal.id, content));
  };

  if (shown.text === '' && version.state !== 'done')
    return (
      <div className="writer-intro">
        <Title title={work.title} onRename={(title) => void then(renameText(id, title))} />
        <p>{version.error ?? 'Stopped before the first words came.'} Nothing was charged.</p>
      </div>
    );
  return (
    <>
      <Title title={work.title} onRename={(title) => void then(renameText(id, title))} />
      <Toolbar
        control={shown}
        editable={!isOlder}
        versions={work.versions.length}
        onExport={(format) => void exportAs(format)}
        onVersions={() => setListed(true)}
        onDelete={() => void remove()}
      />
      {isOlder ? (
        <div className="notice notice-info row">
          <span>This is an older version.</span>
          <button type="button" className="btn btn-secondary" onClick={() => void restore(version.id)}>
            Restore it
          </button>
          <button type="button" className="btn btn-ghost" onClick={() => void navigate(path)}>
            Back to the newest
          </button>
        </div>
      ) : null}
      {version.state === 'stopped' ? <p className="notice">Stopped. This is what had arrived.</p> : null}
      {version.error && version.words > 0 ? (
        <p className="notice notice-danger">{version.error} This is what had arrived; nothing was charged.</p>
      ) : null}
      {version.note ? <p className="notice notice-warning">{version.note}</p> : null}
      <TextView
        work={work}
        range={range}
        control={shown}
        writing={writing}
        editable={!isOlder}
        price={price}
        onRefine={(...wished) => void refine(...wished)}
        onDecide={onDecide}
      />
      {listed ? (
        <Suspense fallback={null}>
          <Versions
            work={work}
            onShow={(versionId) =>
              void navigate(versionId === newest ? path : `${path}?version=${versionId}`)
            }
            onRestore={(versionId) => void restore(versionId)}
            onClose={() => setListed(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
