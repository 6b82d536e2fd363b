import { History } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useRevalidator } from 'react-router';
import { download } from '#client/download.ts';
import type { Me } from '#features/accounts/contract.ts';
import type { useRefusal } from '#features/credits/web/use-refusal.tsx';
import { isRunning } from '#features/generations/contract.ts';
import { useLiveText } from '#features/generations/web/live-text.ts';
import { ShareItem } from '#features/shares/web/share-item.tsx';
import type { TextDetail, VersionRow } from '#features/texts/contract.ts';
import { OlderVersionNotice } from '#features/texts/web/older-version-notice.tsx';
import { renameText, setAuthor } from '#features/texts/web/texts-api.ts';
import type { Autosave } from '#features/texts/web/use-autosave.ts';
import { useVersions } from '#features/texts/web/use-versions.ts';
import { VersionList } from '#features/texts/web/version-list.tsx';
import { ExportMenu } from '#features/tools/web/export-menu.tsx';
import { HandOverItems } from '#features/tools/web/hand-over-items.tsx';
import { RunNotice } from '#features/tools/web/run-notice.tsx';
import { ToolResult } from '#features/tools/web/tool-page.tsx';
import { m } from '#messages';
import { extractScreenplay } from '#shared/fountain/extract-screenplay.ts';
import { linesOf } from '#shared/fountain/source-lines.ts';
import { authorOf, readTitlePage } from '#shared/fountain/title-page.ts';
import type { Paper } from '#shared/paper.ts';
import { Button } from '#ui/button.tsx';
import { MenuItem } from '#ui/menu.tsx';
import { describeNote, type ScriptFormat, scriptFormats, scriptStyles } from '../contract.ts';
import { useSceneRewrite } from './rewrite/use-scene-rewrite.tsx';
import { CopyButton, ScriptDocument } from './screenplay/script-document.tsx';
import { SourceEditor } from './screenplay/source-editor.tsx';
import type { ScriptRuns } from './use-script-runs.ts';

const TitlePageDialog = lazy(() => import('./title-page-dialog.tsx'));

function describeSettings({ settings }: VersionRow): string {
  const style = scriptStyles.find(({ value }) => value === settings.style)?.label();
  const minutes =
    typeof settings.minutes === 'number' ? m.script_minutes_short({ count: settings.minutes }) : null;
  return [style, minutes].filter(Boolean).join(' · ');
}

/** `isSecondTry`: the screenplay is being written for the second time. */
function useText({ version }: TextDetail, { writing }: ScriptRuns, { local }: Autosave) {
  const liveText = useLiveText(writing.live);
  const running = isRunning(version.state);
  // The run has ended, but the page has not loaded the new version yet.
  const endedText = writing.ended?.id === version.generationId ? writing.ended?.text : '';
  const text =
    local?.content ?? (version.content || extractScreenplay((running ? liveText : null) ?? endedText ?? ''));
  return { text, running, isSecondTry: running && liveText?.includes('\f') === true };
}

/** Closing the editor saves the text and reloads it. */
function useView({ save, local }: Autosave): [plain: boolean, onPlain: (plain: boolean) => void] {
  const { revalidate } = useRevalidator();
  const [plain, setPlain] = useState(false);
  const onPlain = (value: boolean) => {
    setPlain(value);
    // Reload only after a successful save: without a connection it would lose the page and the typed text.
    if (value || !local) return;
    void save().then((id) => {
      if (id !== null) void revalidate();
    });
  };
  return [plain, onPlain];
}

interface ScriptResultProps {
  work: TextDetail;
  me: Me | null;
  runs: ScriptRuns;
  source: Autosave;
  refusing: ReturnType<typeof useRefusal>;
  rewriteLabel: string;
  onRetry: (failed: boolean) => void;
}

export function ScriptResult(props: ScriptResultProps) {
  const { work, me, runs, source, refusing, rewriteLabel, onRetry } = props;
  const { revalidate } = useRevalidator();
  const [plain, onPlain] = useView(source);
  const [versionsOpen, setVersionsOpen] = useState(false);
  const [titlePageOpen, setTitlePageOpen] = useState(false);
  const { version } = work;
  const { saving, problem, change, save } = source;
  const { text, running, isSecondTry } = useText(work, runs, source);
  const onRefused = refusing.refuse;
  const versions = useVersions(work, { save, onRefused });
  const editable = !versions.older;
  const rewriting = useSceneRewrite({ work, runs, label: rewriteLabel, text, save, editable, onRefused });
  const exportAs = async (file: { format: ScriptFormat; paper?: Paper }) => {
    const id = await save();
    const query = new URLSearchParams({ ...file, version: id ?? '' });
    if (id !== null) await download(`/api/scripts/${work.id}/export?${query}`);
  };
  const rename = (title: string) => void renameText(work.id, title).then(() => revalidate(), onRefused);
  const saveAuthor = (author: string) =>
    setAuthor(work.id, author).then(
      () => {
        void revalidate();
        return true;
      },
      (error: unknown) => {
        onRefused(error);
        return false;
      },
    );
  const readable = text !== '' || (!running && (plain || source.local !== null));
  const failed = runs.writing.failure ?? runs.rewriting.failure;
  const notices = (
    <>
      <RunNotice
        run={running ? null : { ...version, note: describeNote(version.note) }}
        failure={failed}
        fallback={m.script_fallback()}
        onRetry={runs.rewriting.failure ? null : onRetry}
      />
      {problem && !plain ? <p className="notice notice-danger">{problem}</p> : null}
      {editable ? null : (
        <OlderVersionNotice
          onRestore={() => void versions.restore(version.id)}
          onBack={() => void versions.showNewest()}
        />
      )}
      {isSecondTry ? (
        <p className="notice notice-info" role="status">
          {m.script_second_try()}
        </p>
      ) : null}
    </>
  );
  const actions = (
    <div className="-ms-2.5 flex flex-wrap items-center gap-0.5 [&_.btn]:font-normal">
      {readable ? <CopyButton text={text} /> : null}
      {readable && !running ? (
        <ExportMenu formats={scriptFormats} onExport={(file) => void exportAs(file)}>
          <div className="menu-line" />
          <MenuItem onClick={() => setTitlePageOpen(true)}>{m.script_title_page()}…</MenuItem>
          {editable ? <ShareItem shared={{ kind: 'script', workId: work.id }} before={save} /> : null}
          <HandOverItems to={['chat', 'writer']} text={() => text} />
        </ExportMenu>
      ) : null}
      {running ? null : (
        <Button variant="ghost" aria-expanded={versionsOpen} onClick={() => setVersionsOpen(!versionsOpen)}>
          <History size={16} strokeWidth={1.75} aria-hidden="true" />{' '}
          {m.texts_versions_count({ count: work.versions.length })}
        </Button>
      )}
    </div>
  );
  return (
    <ToolResult
      label={m.script_document()}
      title={work.title}
      onRename={rename}
      actions={actions}
      refusing={refusing}
      notices={notices}
    >
      {titlePageOpen ? (
        <Suspense>
          <TitlePageDialog
            author={work.author ?? authorOf(readTitlePage(linesOf(text)).title) ?? me?.name ?? ''}
            onSave={saveAuthor}
            onClose={() => setTitlePageOpen(false)}
          />
        </Suspense>
      ) : null}
      {versionsOpen && !running ? (
        <VersionList
          versions={work.versions}
          shown={version.id}
          describeSettings={describeSettings}
          onShow={({ id }) => void versions.show(id)}
          onRestore={({ id }) => void versions.restore(id)}
        />
      ) : null}
      {text === '' && running ? (
        <p className="flex items-center gap-3 py-8 text-fg-muted">
          <span className="spinner" aria-hidden="true" /> {m.script_writing_first()}
        </p>
      ) : null}
      {readable ? (
        <ScriptDocument
          text={text}
          live={running ? runs.writing.live : null}
          plain={plain}
          onPlain={onPlain}
          editor={
            running || !editable ? undefined : (
              <SourceEditor
                text={text}
                saving={saving}
                problem={problem}
                readOnly={runs.writing.busy}
                onChange={change}
              />
            )
          }
          {...rewriting}
        />
      ) : null}
    </ToolResult>
  );
}
