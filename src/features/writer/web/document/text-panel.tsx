import { useState } from 'react';
import { useNavigate } from 'react-router';
import { toast } from '../../../../client/page-events.ts';
import type { VersionRow, WorkView } from '../../../works/contract.ts';
import {
  decideProposal,
  deleteWork,
  renameWork,
  restoreVersion,
  restoreWork,
} from '../../../works/web/api.ts';
import { VersionList } from '../../../works/web/version-list.tsx';
import {
  type Length,
  type TextType,
  type Tone,
  toneNames,
  typeNames,
  type WordRange,
  wordRanges,
  writerLimits,
} from '../../contract.ts';
import { downloadText } from '../api.ts';
import type { TextControl } from '../use-text.ts';
import type { Writing } from '../use-writing.ts';
import { TextView } from './text-view.tsx';
import { Title } from './title.tsx';
import { Toolbar } from './toolbar.tsx';

/** What a version was asked for, in a few words. */
function askedFor({ settings }: VersionRow): string {
  const { type, tone, length } = settings as { type?: TextType; tone?: Tone; length?: Length };
  return [type && typeNames[type], tone && toneNames[tone], length && wordRanges[length]?.name]
    .filter(Boolean)
    .join(', ');
}

interface TextPanelProps {
  work: WorkView;
  control: TextControl;
  writing: Writing;
  range: WordRange;
  price: string | null;
  onRefused: (error: unknown) => void;
  onChanged: () => void;
}

const tooLong = `Please select less: ${writerLimits.selection.toLocaleString('en-US')} characters at most.`;

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
    deleteWork(id)
      .then(() => {
        const back = () =>
          restoreWork(id)
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
    if (to - from > writerLimits.selection) return toast({ text: tooLong, kind: 'info' });
    const held = await control.save();
    if (held !== null) writing.refine(id, held, { from, text: text.slice(from, to) }, wish);
  };
  const onDecide = async (content: string | null) => {
    const decision =
      content === null ? { decision: 'discarded' as const } : { decision: 'accepted' as const, content };
    if (work.proposal) await then(decideProposal(id, work.proposal.id, decision));
  };

  if (shown.text === '' && version.state !== 'done')
    return (
      <div className="writer-intro">
        <Title title={work.title} onRename={(title) => void then(renameWork(id, title))} />
        <p>{version.error ?? 'Stopped before the first words came.'} Nothing was charged.</p>
      </div>
    );
  return (
    <>
      <Title title={work.title} onRename={(title) => void then(renameWork(id, title))} />
      <Toolbar
        control={shown}
        editable={!isOlder}
        versions={work.versions.length}
        onExport={(format) => void exportAs(format)}
        listed={listed}
        onVersions={() => setListed(!listed)}
        onDelete={() => void remove()}
      />
      {listed ? (
        <VersionList
          versions={work.versions}
          shown={version.id}
          settingsOf={askedFor}
          onShow={(row) => void navigate(row.id === newest ? path : `${path}?version=${row.id}`)}
          onRestore={(row) => void restore(row.id)}
        />
      ) : null}
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
    </>
  );
}
