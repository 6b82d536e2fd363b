import { Pencil } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { toast } from '../../../client/page-events.ts';
import { screenplayIn } from '../../../shared/fountain/clean.ts';
import type { VersionRow, WorkView } from '../../works/contract.ts';
import { decideProposal, renameWork, restoreVersion } from '../../works/web/api.ts';
import { VersionList } from '../../works/web/version-list.tsx';
import { type RewriteRequest, scriptStyles, withProposal } from '../contract.ts';
import { ProposalView } from './rewrite/proposal-view.tsx';
import { RewriteForm } from './rewrite/rewrite-form.tsx';
import { ExportMenu } from './sheet/export-menu.tsx';
import { Sheet } from './sheet/sheet.tsx';
import { SourceEditor } from './sheet/source-editor.tsx';
import { useLiveText } from './sheet/use-live-text.ts';
import type { useScript } from './use-script.ts';

interface ScriptViewProps {
  work: WorkView;
  runs: ReturnType<typeof useScript>;
  /** Label of the button that rewrites, with its price. */
  rewriteLabel: string;
  onRetry: () => void;
}

const failed = (error: unknown) =>
  toast({
    text: error instanceof Error ? error.message : 'That did not work. Please try again.',
    kind: 'danger',
  });

/** The title, which its owner may change. */
function Title({ id, title }: { id: string; title: string }) {
  const [editing, setEditing] = useState(false);
  const [shown, setShown] = useState({ of: title, text: title });
  const button = useRef<HTMLButtonElement>(null);
  if (shown.of !== title) setShown({ of: title, text: title });
  const done = () => {
    setEditing(false);
    requestAnimationFrame(() => button.current?.focus());
  };
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('title')).trim();
    if (text !== '' && text !== shown.text) {
      setShown({ of: title, text });
      renameWork(id, text).then(({ title: kept }) => setShown({ of: title, text: kept }), failed);
    }
    done();
  };
  if (!editing)
    return (
      <div className="sp-title">
        <h2 className="h2">{shown.text}</h2>
        <button
          ref={button}
          type="button"
          className="btn btn-ghost btn-icon"
          aria-label="Rename the script"
          onClick={() => setEditing(true)}
        >
          <Pencil size={16} strokeWidth={1.75} aria-hidden="true" />
        </button>
      </div>
    );
  return (
    <form
      className="sp-title"
      onSubmit={save}
      onKeyDown={(event) => {
        if (event.key === 'Escape') done();
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: it stands where the button was that opened it
        autoFocus
        name="title"
        className="input"
        aria-label="Title of the script"
        defaultValue={shown.text}
        maxLength={120}
        autoComplete="off"
      />
      <button type="submit" className="btn btn-secondary">
        Save
      </button>
    </form>
  );
}

const settingsOf = ({ settings }: VersionRow): string => {
  const style = scriptStyles.find(({ value }) => value === settings.style)?.label;
  const minutes = typeof settings.minutes === 'number' ? `${settings.minutes} min` : null;
  return [style, minutes].filter(Boolean).join(', ');
};

/** What is to be said of a version that did not come to its end, or of what it lacks. */
function Verdict({ work, onRetry }: { work: WorkView; onRetry: () => void }) {
  const { state, error, note, content, finishReason } = work.version;
  const over = state === 'failed' || state === 'interrupted';
  const text = over
    ? (error ?? 'The script could not be written.')
    : state === 'stopped'
      ? content === ''
        ? 'Stopped before anything was written. You were not charged.'
        : 'Stopped. What was written is kept.'
      : finishReason === 'length'
        ? 'The model stopped at its limit of length; the end is missing.'
        : note;
  if (!text) return null;
  return (
    <div
      className={`notice ${over ? 'notice-danger' : 'notice-info'} sp-verdict`}
      role={over ? 'alert' : undefined}
    >
      <p>{text}</p>
      {over || state === 'stopped' ? (
        <button type="button" className="btn btn-secondary" onClick={onRetry}>
          Try again
        </button>
      ) : null}
    </div>
  );
}

/** What becomes of the proposal that is open. */
function useDecision(work: WorkView) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  const { proposal, version } = work;
  const request = proposal ? (proposal.request as unknown as RewriteRequest) : null;
  const content = proposal && request ? withProposal(version.content, request, proposal.content) : null;
  const decide = async (decision: 'accepted' | 'discarded') => {
    if (!proposal) return;
    setBusy(true);
    try {
      await decideProposal(
        work.id,
        proposal.id,
        decision === 'accepted' ? { decision, content: content ?? '' } : { decision },
      );
      await navigate(`/tools/script/${work.id}`, { preventScrollReset: true, replace: true });
      await revalidate();
    } catch (error) {
      failed(error);
    }
    setBusy(false);
  };
  const obstacle =
    content === null ? 'This part of the script has been changed since. It can only be discarded.' : null;
  return { proposal, request, obstacle, busy, decide };
}

/** A script of the person: its sheet, what is being done with it, and its versions. */
export function ScriptView({ work, runs, rewriteLabel, onRetry }: ScriptViewProps) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [plain, setPlain] = useState(false);
  const [asking, setAsking] = useState<number | null>(null);
  const { writing, rewriting, ended } = runs;
  const arriving = useLiveText(writing.live);
  const proposed = useLiveText(rewriting.live);
  const { version } = work;
  const running = version.state === 'queued' || version.state === 'running';
  const late = ended?.id === version.generationId && version.content === '' ? ended.text : null;
  const text = running ? screenplayIn(arriving ?? late ?? '') : version.content || screenplayIn(late ?? '');
  const { proposal, request, obstacle, busy, decide } = useDecision(work);
  const rewriteRuns = rewriting.phase !== 'idle';
  const mayRewrite = !running && !rewriteRuns && proposal === null && version.content !== '';
  const leavePlain = (wanted: boolean) => {
    setPlain(wanted);
    if (!wanted) void revalidate();
  };
  const show = ({ id }: VersionRow) => {
    const newest = work.versions[0]?.id === id;
    void navigate(newest ? `/tools/script/${work.id}` : `?version=${id}`, { preventScrollReset: true });
  };
  const restore = ({ id }: VersionRow) => {
    restoreVersion(work.id, id)
      .then(() => navigate(`/tools/script/${work.id}`, { preventScrollReset: true }))
      .then(() => revalidate(), failed);
  };
  const below = (scene: number, placed: Parameters<typeof RewriteForm>[0]['placed']) => {
    if (request?.scene === scene && proposal)
      return (
        <ProposalView
          request={request}
          text={proposed ?? (proposal.content || (ended?.id === proposal.generationId ? ended.text : ''))}
          running={rewriteRuns}
          obstacle={obstacle}
          busy={busy}
          onStop={rewriting.stop}
          onDecide={decide}
        />
      );
    if (asking !== scene || proposal) return null;
    return (
      <RewriteForm
        placed={placed}
        scene={scene}
        label={rewriteLabel}
        busy={rewriteRuns}
        onSubmit={runs.rewrite}
        onClose={() => {
          setAsking(null);
          document.getElementById(`rewrite-${scene}`)?.focus();
        }}
      />
    );
  };
  const tools = (scene: number) =>
    mayRewrite && asking !== scene ? (
      <button
        id={`rewrite-${scene}`}
        type="button"
        className="btn btn-ghost sp-tool"
        onClick={() => setAsking(scene)}
      >
        Rewrite<span className="visually-hidden"> scene {scene + 1}</span>
      </button>
    ) : null;
  return (
    <>
      <Title id={work.id} title={work.title} />
      <Verdict work={work} onRetry={onRetry} />
      {text === '' ? (
        running ? (
          <p className="sp-waiting">
            <span className="spinner" aria-hidden="true" /> Writing the first scene …
          </p>
        ) : null
      ) : (
        <Sheet
          text={text}
          live={running ? writing.live : null}
          plain={plain}
          onPlain={leavePlain}
          editor={
            running ? undefined : (
              <SourceEditor key={version.id} workId={work.id} version={version} onSaved={() => undefined} />
            )
          }
          actions={running ? null : <ExportMenu workId={work.id} versionId={version.id} />}
          tools={tools}
          below={below}
        />
      )}
      <VersionList
        versions={work.versions}
        shown={version.id}
        settingsOf={settingsOf}
        onShow={show}
        onRestore={restore}
      />
    </>
  );
}
