import { useEffect, useState } from 'react';
import { request } from '#client/api-request.ts';
import type { Me } from '#features/accounts/contract.ts';
import { featureTable } from '#features/credits/contract.ts';
import { priceFor, priceLabel } from '#features/credits/web/price-label.ts';
import type { useRefusal } from '#features/credits/web/use-refusal.tsx';
import { isRunning } from '#features/generations/contract.ts';
import type { TextDetail, VersionRow } from '#features/texts/contract.ts';
import { OlderVersionNotice } from '#features/texts/web/older-version-notice.tsx';
import { useVersions } from '#features/texts/web/use-versions.ts';
import { VersionList } from '#features/texts/web/version-list.tsx';
import { RunNotice } from '#features/tools/web/run-notice.tsx';
import { ToolFacts, ToolMissing, ToolResult } from '#features/tools/web/tool-page.tsx';
import { m } from '#messages';
import {
  describeNote,
  type Length,
  requestedLengths,
  type TextType,
  type Tone,
  toneNames,
  typeNames,
} from '../contract.ts';
import { TextToolbar } from './document/text-toolbar.tsx';
import { TextView } from './document/text-view.tsx';
import { useTextActions } from './document/use-text-actions.ts';
import { LiveView } from './live-view.tsx';
import type { TextEditor } from './use-text-editor.ts';
import { endedRunText, type WriterRuns } from './use-writer-runs.ts';

const facts = (): [name: string, text: string][] => [
  [m.writer_fact_length(), m.writer_fact_length_text()],
  [m.writer_fact_edit(), m.writer_fact_edit_text()],
  [m.writer_fact_export(), m.writer_fact_export_text()],
];

function describeSettings({ settings }: VersionRow): string {
  const { type, tone, length } = settings as { type?: TextType; tone?: Tone; length?: Length };
  return [type && typeNames[type](), tone && toneNames[tone](), length && requestedLengths[length]?.name()]
    .filter(Boolean)
    .join(' · ');
}

function useContinuedText(work: TextDetail | null): string {
  const [text, setText] = useState({ versionId: '', content: '' });
  const { continues } = work?.version.settings ?? {};
  const versionId = work && typeof continues === 'string' && work.version.content === '' ? continues : '';
  const workId = work?.id;
  useEffect(() => {
    if (versionId === '' || !workId) return;
    const controller = new AbortController();
    request<TextDetail>(`/api/works/${workId}?version=${versionId}`, { signal: controller.signal }).then(
      ({ version }) => setText({ versionId, content: version.content }),
      // On failure only the new text is shown while it arrives; the whole text appears at the end.
      () => undefined,
    );
    return () => controller.abort();
  }, [workId, versionId]);
  return versionId !== '' && text.versionId === versionId ? text.content : '';
}

interface WriterResultProps {
  work: TextDetail | null;
  missing: boolean;
  me: Me | null;
  control: TextEditor;
  runs: WriterRuns;
  requested: Length;
  prompt: string;
  refusing: ReturnType<typeof useRefusal>;
  onChanged: () => void;
  /** Repeats the request of a failed or stopped version; null if that request is unknown. */
  onRetry: (() => void) | null;
}

export function WriterResult(props: WriterResultProps) {
  const { work, missing, me, control, runs, requested, prompt, refusing, onChanged, onRetry } = props;
  const { refuse } = refusing;
  const [versionsOpen, setVersionsOpen] = useState(false);
  const versions = useVersions(work, { save: control.save, onRefused: refuse });
  const { older } = versions;
  const actions = useTextActions({ work, control, runs, older, onRefused: refuse, onChanged });
  const partial = useContinuedText(work);
  const { writing } = runs;
  const live = writing.busy ? writing.live : null;
  const endedText = endedRunText(writing, work?.version.generationId);
  const shown: TextEditor = control.text || !endedText ? control : { ...control, text: endedText };
  const readable = work !== null && !live && (shown.text !== '' || work.version.state === 'done');
  const price = priceFor(me, 'writer');
  const notices = live ? null : (
    <>
      {control.problem ? <p className="notice notice-danger">{control.problem}</p> : null}
      {work && older ? (
        <OlderVersionNotice
          onRestore={() => void versions.restore(work.version.id)}
          onBack={() => void versions.showNewest()}
        />
      ) : null}
      <RunNotice
        run={work && { ...work.version, note: describeNote(work.version) }}
        failure={writing.failure ?? runs.rewriting.failure}
        fallback={m.writer_fallback()}
        onRetry={runs.rewriting.failure ? null : onRetry}
        onContinue={{
          label: priceLabel(m.common_continue(), me, 'writer'),
          run: () => work && runs.continueText(work.id, work.version.id),
        }}
      />
    </>
  );
  return (
    <ToolResult
      label={m.writer_document()}
      title={work?.title ?? (missing ? m.writer_missing() : featureTable.writer.name)}
      onRename={work ? actions.rename : undefined}
      lead={work || missing ? undefined : m.writer_lead()}
      refusing={refusing}
      notices={notices}
      actions={
        readable ? (
          <TextToolbar
            workId={work.id}
            control={shown}
            editable={!older}
            versions={work.versions.length}
            onExport={(file) => void actions.exportAs(file)}
            versionsOpen={versionsOpen}
            onVersions={() => setVersionsOpen(!versionsOpen)}
            onDelete={() => void actions.remove()}
          />
        ) : null
      }
    >
      {versionsOpen && readable ? (
        <VersionList
          versions={work.versions}
          shown={work.version.id}
          describeSettings={describeSettings}
          onShow={({ id }) => void versions.show(id)}
          onRestore={({ id }) => void versions.restore(id)}
        />
      ) : null}
      {live ? (
        <LiveView live={live} partial={partial} requested={requested} prompt={prompt} onStop={writing.stop} />
      ) : readable ? (
        <TextView
          work={work}
          requested={requested}
          settings={describeSettings(work.version)}
          control={shown}
          runs={runs}
          editable={!older}
          price={price === null ? null : m.writer_price_each({ count: price })}
          onRefine={(...args) => void actions.refine(...args)}
          onDecide={actions.decide}
        />
      ) : work ? (
        isRunning(work.version.state) && <p className="muted">{m.writer_running()}</p>
      ) : missing ? (
        <ToolMissing feature="writer" newLabel={m.writer_new()} />
      ) : (
        <ToolFacts facts={facts()} />
      )}
    </ToolResult>
  );
}
