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
  askedLengths,
  describeNote,
  type Length,
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
import { broughtBy, type WriterRuns } from './use-writer-runs.ts';

const facts = (): [name: string, text: string][] => [
  [m.writer_fact_length(), m.writer_fact_length_text()],
  [m.writer_fact_edit(), m.writer_fact_edit_text()],
  [m.writer_fact_export(), m.writer_fact_export_text()],
];

function describeSettings({ settings }: VersionRow): string {
  const { type, tone, length } = settings as { type?: TextType; tone?: Tone; length?: Length };
  return [type && typeNames[type](), tone && toneNames[tone](), length && askedLengths[length]?.name()]
    .filter(Boolean)
    .join(' · ');
}

function useContinuedText(work: TextDetail | null): string {
  const [text, setText] = useState({ of: '', content: '' });
  const { continues } = work?.version.settings ?? {};
  const of = work && typeof continues === 'string' && work.version.content === '' ? continues : '';
  const workId = work?.id;
  useEffect(() => {
    if (of === '' || !workId) return;
    const leaving = new AbortController();
    request<TextDetail>(`/api/works/${workId}?version=${of}`, { signal: leaving.signal }).then(
      ({ version }) => setText({ of, content: version.content }),
      // On failure only the new text is shown while it arrives; the whole text appears at the end.
      () => undefined,
    );
    return () => leaving.abort();
  }, [workId, of]);
  return of !== '' && text.of === of ? text.content : '';
}

interface WriterResultProps {
  work: TextDetail | null;
  missing: boolean;
  me: Me | null;
  control: TextEditor;
  runs: WriterRuns;
  asked: Length;
  wish: string;
  refusing: ReturnType<typeof useRefusal>;
  onChanged: () => void;
  /** Repeats the request of a failed or stopped version; null if that request is unknown. */
  onRetry: (() => void) | null;
}

export function WriterResult(props: WriterResultProps) {
  const { work, missing, me, control, runs, asked, wish, refusing, onChanged, onRetry } = props;
  const { refuse } = refusing;
  const [listed, setListed] = useState(false);
  const versions = useVersions(work, { save: control.save, onRefused: refuse });
  const { older } = versions;
  const actions = useTextActions({ work, control, runs, older, onRefused: refuse, onChanged });
  const begun = useContinuedText(work);
  const { writing } = runs;
  const live = writing.busy ? writing.live : null;
  const brought = broughtBy(writing, work?.version.generationId);
  const shown: TextEditor = control.text || !brought ? control : { ...control, text: brought };
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
          run: () => work && runs.goOn(work.id, work.version.id),
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
            listed={listed}
            onVersions={() => setListed(!listed)}
            onDelete={() => void actions.remove()}
          />
        ) : null
      }
    >
      {listed && readable ? (
        <VersionList
          versions={work.versions}
          shown={work.version.id}
          describeSettings={describeSettings}
          onShow={({ id }) => void versions.show(id)}
          onRestore={({ id }) => void versions.restore(id)}
        />
      ) : null}
      {live ? (
        <LiveView live={live} begun={begun} asked={asked} wish={wish} onStop={writing.stop} />
      ) : readable ? (
        <TextView
          work={work}
          asked={asked}
          settings={describeSettings(work.version)}
          control={shown}
          runs={runs}
          editable={!older}
          price={price === null ? null : m.writer_price_each({ count: price })}
          onRefine={(...wished) => void actions.refine(...wished)}
          onDecide={actions.decide}
        />
      ) : work ? (
        isRunning(work.version.state) && <p className="muted">{m.writer_running()}</p>
      ) : missing ? (
        <ToolMissing feature="writer" anew={m.writer_new()} />
      ) : (
        <ToolFacts facts={facts()} />
      )}
    </ToolResult>
  );
}
