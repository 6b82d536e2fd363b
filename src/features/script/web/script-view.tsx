import { History } from 'lucide-react';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { download } from '../../../client/download.ts';
import { screenplayIn } from '../../../shared/fountain/clean.ts';
import type { WorkView } from '../../works/contract.ts';
import { isOlder, newestOf, OlderVersion } from '../../works/web/older-version.tsx';
import type { ScriptFormat } from '../contract.ts';
import { failed } from './failed.ts';
import { useRewriting } from './rewrite/use-rewriting.tsx';
import { ScriptTitle } from './script-title.tsx';
import { ScriptVersions, useVersions } from './script-versions.tsx';
import { ExportMenu } from './sheet/export-menu.tsx';
import { Sheet } from './sheet/sheet.tsx';
import { SourceEditor } from './sheet/source-editor.tsx';
import { useLiveText } from './sheet/use-live-text.ts';
import type { ScriptRuns } from './use-script.ts';
import type { Source } from './use-source.ts';
import { Verdict } from './verdict.tsx';

interface ScriptViewProps {
  work: WorkView;
  runs: ScriptRuns;
  source: Source;
  /** Label of the button that rewrites, with its price. */
  rewriteLabel: string;
  /** Asks again for what failed, or for what the version was asked for. */
  onRetry: (failed: boolean) => void;
}

/** The text as far as it is known here, and whether it is being written for the second time. */
function useText({ version }: WorkView, { writing, ended }: ScriptRuns, { own }: Source) {
  const arriving = useLiveText(writing.live);
  const running = version.state === 'queued' || version.state === 'running';
  // The page has heard the end, and not read the version anew.
  const late = ended?.id === version.generationId ? ended.text : '';
  const text = own?.content ?? (version.content || screenplayIn((running ? arriving : null) ?? late));
  return { text, running, again: running && arriving?.includes('\f') === true };
}

function Waiting() {
  return (
    <p className="sp-waiting">
      <span className="spinner" aria-hidden="true" /> Writing the first scene …
    </p>
  );
}

interface ActionsProps {
  versions: number;
  /** Whether the versions are shown. */
  listed: boolean;
  onVersions: () => void;
  onExport: (format: ScriptFormat) => void;
}

function Actions({ versions, listed, onVersions, onExport }: ActionsProps) {
  return (
    <>
      <ExportMenu onExport={onExport} />
      <button type="button" className="btn btn-ghost" aria-expanded={listed} onClick={onVersions}>
        <History size={16} strokeWidth={1.75} aria-hidden="true" /> Versions ({versions})
      </button>
    </>
  );
}

/** Which of its two forms a script is shown in; leaving the editor, what was typed is saved and read anew. */
function useView({ save, own }: Source): [plain: boolean, onPlain: (plain: boolean) => void] {
  const { revalidate } = useRevalidator();
  const [plain, setPlain] = useState(false);
  const onPlain = (wanted: boolean) => {
    setPlain(wanted);
    // Without a connection the page would be lost with what is typed.
    if (wanted || !own) return;
    void save().then((id) => {
      if (id !== null) void revalidate();
    });
  };
  return [plain, onPlain];
}

/** A script of the person: its sheet, what is being done with it, and its versions. */
export function ScriptView({ work, runs, source, rewriteLabel, onRetry }: ScriptViewProps) {
  const [plain, onPlain] = useView(source);
  const [listed, setListed] = useState(false);
  const { version } = work;
  const { saving, problem, change, saved } = source;
  const { text, running, again } = useText(work, runs, source);
  const older = isOlder(work);
  const versions = useVersions(work, saved);
  const rewriting = useRewriting({ work, runs, label: rewriteLabel, text, saved, editable: !older });
  const exportAs = async (format: ScriptFormat) => {
    const id = await saved();
    const query = new URLSearchParams({ format, version: id ?? '' });
    if (id !== null) await download(`/api/scripts/${work.id}/export?${query}`).catch(failed);
  };
  const editor = (
    <SourceEditor
      text={text}
      saving={saving}
      problem={problem}
      readOnly={runs.writing.phase !== 'idle'}
      onChange={change}
    />
  );
  const actions = (
    <Actions
      versions={work.versions.length}
      listed={listed}
      onVersions={() => setListed(!listed)}
      onExport={(format) => void exportAs(format)}
    />
  );
  const list = listed && !running ? <ScriptVersions work={work} actions={versions} /> : null;
  return (
    <div className="script-main">
      <ScriptTitle id={work.id} title={work.title} />
      <Verdict version={version} failure={runs.failure} onRetry={onRetry} />
      {problem && !plain ? <p className="notice notice-danger">{problem}</p> : null}
      {older ? (
        <OlderVersion
          onRestore={() => void versions.restore(version.id)}
          onBack={() => void versions.show(newestOf(work)?.id ?? version.id)}
        />
      ) : null}
      {again ? (
        <p className="notice notice-info" role="status">
          The first answer was no screenplay; it is being written once more.
        </p>
      ) : null}
      {text === '' && running ? <Waiting /> : null}
      {text === '' && (running || !(plain || source.own)) ? (
        list
      ) : (
        <Sheet
          text={text}
          live={running ? runs.writing.live : null}
          plain={plain}
          onPlain={onPlain}
          editor={running || older ? undefined : editor}
          actions={running ? null : actions}
          panel={list}
          {...rewriting}
        />
      )}
    </div>
  );
}
