import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { screenplayIn } from '../../../shared/fountain/clean.ts';
import type { WorkView } from '../../works/contract.ts';
import { useRewriting } from './rewrite/use-rewriting.tsx';
import { ScriptTitle } from './script-title.tsx';
import { ScriptVersions } from './script-versions.tsx';
import { ExportMenu } from './sheet/export-menu.tsx';
import { Sheet } from './sheet/sheet.tsx';
import { SourceEditor } from './sheet/source-editor.tsx';
import { useLiveText } from './sheet/use-live-text.ts';
import type { ScriptRuns } from './use-script.ts';
import { Verdict } from './verdict.tsx';

interface ScriptViewProps {
  work: WorkView;
  runs: ScriptRuns;
  /** Label of the button that rewrites, with its price. */
  rewriteLabel: string;
  onRetry: () => void;
}

/** The text of the version as far as it is known here, and whether it is being written for the second time. */
function useText({ version }: WorkView, { writing, ended }: ScriptRuns) {
  const arriving = useLiveText(writing.live);
  const running = version.state === 'queued' || version.state === 'running';
  // The page has heard the end, and not read the version anew.
  const late = ended?.id === version.generationId ? ended.text : '';
  const text = version.content || screenplayIn((running ? arriving : null) ?? late);
  return { text, running, again: running && arriving?.includes('\f') === true };
}

function Waiting() {
  return (
    <p className="sp-waiting">
      <span className="spinner" aria-hidden="true" /> Writing the first scene …
    </p>
  );
}

/** A script of the person: its sheet, what is being done with it, and its versions. */
export function ScriptView({ work, runs, rewriteLabel, onRetry }: ScriptViewProps) {
  const { revalidate } = useRevalidator();
  const [plain, setPlain] = useState(false);
  const isPlain = useRef(false);
  const { version } = work;
  const { text, running, again } = useText(work, runs);
  const rewriting = useRewriting(work, runs, rewriteLabel);
  const onPlain = (wanted: boolean) => {
    setPlain(wanted);
    isPlain.current = wanted;
    if (!wanted) void revalidate();
  };
  // What was typed last is saved when the editor has closed already.
  const onSaved = () => {
    if (!isPlain.current) void revalidate();
  };
  return (
    <>
      <div className="script-main">
        <ScriptTitle id={work.id} title={work.title} />
        <Verdict work={work} onRetry={onRetry} />
        {again ? (
          <p className="notice notice-info" role="status">
            The first answer was no screenplay; it is being written once more.
          </p>
        ) : null}
        {text === '' && running ? <Waiting /> : null}
        {text === '' ? null : (
          <Sheet
            text={text}
            live={running ? runs.writing.live : null}
            plain={plain}
            onPlain={onPlain}
            editor={
              running ? undefined : (
                <SourceEditor key={version.id} workId={work.id} version={version} onSaved={onSaved} />
              )
            }
            actions={running ? null : <ExportMenu workId={work.id} versionId={version.id} />}
            {...rewriting}
          />
        )}
      </div>
      <ScriptVersions work={work} />
    </>
  );
}
