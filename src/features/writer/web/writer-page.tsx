import { lazy } from 'react';
import { useRevalidator } from 'react-router';
import { openSignIn } from '#client/page-events.ts';
import { featureTable } from '#features/credits/contract.ts';
import { useCurrentUser } from '#features/credits/web/use-current-user.ts';
import { useRefusal } from '#features/credits/web/use-refusal.tsx';
import type { TextDetail } from '#features/texts/contract.ts';
import { TextToolPage, type WorkspaceProps } from '#features/texts/web/text-tool-page.tsx';
import type { TextPage } from '#features/texts/web/use-running-texts.ts';
import { useUnsavedChanges } from '#features/texts/web/use-unsaved-changes.tsx';
import type { ToolData } from '#features/tools/contract.ts';
import { landingParts } from '#features/tools/web/landing/landing-parts.tsx';
import { hasFailed } from '#features/tools/web/run-notice.tsx';
import { ToolColumns } from '#features/tools/web/tool-page.tsx';
import { m } from '#messages';
import { defaultSettings, requestedLength, type WriterSettings } from '../contract.ts';
import { useTextEditor } from './use-text-editor.ts';
import { useWriterRuns } from './use-writer-runs.ts';
import { useWriterSettings, WriterForm } from './writer-form.tsx';
import { WriterResult } from './writer-result.tsx';

export type WriterPageData = ToolData<TextDetail, TextPage>;

const { sample, ...landing } = landingParts(lazy(() => import('./writer-landing.tsx')));

function Workspace({ data, onTextStarted }: WorkspaceProps<WriterPageData>) {
  const { opened: work, missing } = data;
  const [me, setCredits] = useCurrentUser(data.me);
  const { revalidate } = useRevalidator();
  const reload = () => void revalidate();
  const refusing = useRefusal(me, {
    feature: 'writer',
    price: featureTable.writer.price,
    fallback: m.writer_failed(),
  });
  const form = useWriterSettings(work, me);
  const control = useTextEditor(work, refusing, reload);
  const runs = useWriterRuns({
    work,
    setCredits,
    onStarted(id) {
      form.forget();
      onTextStarted(id);
    },
    onChanged: reload,
    onRefused: refusing.refuse,
  });
  const unsavedDialog = useUnsavedChanges(control);
  const generate = (settings: WriterSettings) => {
    if (!me) return openSignIn({ reason: m.texts_sign_in() });
    refusing.clear();
    // Save manual changes before a new version is added on top of them.
    void control.save().then((savedId) => {
      if (savedId !== null || !work) runs.generate(settings, work?.id ?? null);
    });
  };
  const lastAttempt = work?.versions.find((version) => hasFailed(version) || version.state === 'stopped');
  const retry = () =>
    generate({ ...defaultSettings, prompt: '', ...(lastAttempt?.settings as Partial<WriterSettings>) });
  return (
    <>
      <ToolColumns
        opened={work !== null}
        form={
          <WriterForm
            me={me}
            form={form}
            runs={runs}
            hasText={work !== null}
            onGenerate={generate}
            onUpgrade={refusing.upgrade}
          />
        }
        result={
          !me ? (
            sample
          ) : (
            <WriterResult
              work={work}
              missing={missing}
              me={me}
              control={control}
              runs={runs}
              requested={requestedLength({ ...form.values, ...work?.version.settings })}
              prompt={String(work?.version.settings.prompt ?? form.values.prompt)}
              refusing={refusing}
              onChanged={reload}
              onRetry={lastAttempt ? retry : null}
            />
          )
        }
      />
      {refusing.dialog}
      {unsavedDialog}
    </>
  );
}

export const WriterPage = ({ data }: { data: WriterPageData }) => (
  <TextToolPage
    feature="writer"
    data={data}
    landing={landing}
    newLabel={m.writer_new()}
    list={{ title: m.writer_list(), empty: m.writer_list_empty() }}
    Workspace={Workspace}
  />
);
