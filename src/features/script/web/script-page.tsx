import { lazy } from 'react';
import { useRevalidator } from 'react-router';
import { openSignIn } from '#client/page-events.ts';
import { usePersistedForm } from '#client/persisted-form.ts';
import { featureTable } from '#features/credits/contract.ts';
import { LockedTool } from '#features/credits/web/locked-tool.tsx';
import { canUse, priceFor, priceLabel } from '#features/credits/web/price-label.ts';
import { useCurrentUser } from '#features/credits/web/use-current-user.ts';
import { useRefusal } from '#features/credits/web/use-refusal.tsx';
import type { TextDetail } from '#features/texts/contract.ts';
import { TextToolPage, type WorkspaceProps } from '#features/texts/web/text-tool-page.tsx';
import { useAutosave } from '#features/texts/web/use-autosave.ts';
import type { TextPage } from '#features/texts/web/use-running-texts.ts';
import { useUnsavedChanges } from '#features/texts/web/use-unsaved-changes.tsx';
import type { ToolData } from '#features/tools/contract.ts';
import { landingParts } from '#features/tools/web/landing/landing-parts.tsx';
import { ToolColumns, ToolMissing, ToolResult } from '#features/tools/web/tool-page.tsx';
import { m } from '#messages';
import { type ScriptSettings, scriptLimits } from '../contract.ts';
import { CopyButton, ScriptDocument } from './screenplay/script-document.tsx';
import { emptyForm, type FormValues, ScriptForm } from './script-form.tsx';
import { ScriptResult } from './script-result.tsx';
import { SupportedApps } from './supported-apps.tsx';
import { useScriptRuns } from './use-script-runs.ts';

export interface ScriptPageData extends ToolData<TextDetail, TextPage> {
  sample: string;
}

const { sample: landingSample, ...landing } = landingParts(lazy(() => import('./script-landing.tsx')));

const promises = () => [
  m.script_promise_length({ minutes: scriptLimits.maxMinutes }),
  m.script_promise_rewrite(),
  m.script_promise_export(),
];

const valuesOf = (work: TextDetail | null): FormValues => {
  if (!work) return emptyForm;
  const { scene, style, minutes, characters } = work.version.settings as unknown as Partial<ScriptSettings>;
  return {
    scene: scene ?? '',
    style: style ?? '',
    minutes: minutes ? String(minutes) : '',
    characters: characters ?? '',
  };
};

function Workspace({
  data: { opened: work, missing, sample, ...data },
  onTextStarted,
}: WorkspaceProps<ScriptPageData>) {
  const [me, setCredits] = useCurrentUser(data.me);
  const { revalidate } = useRevalidator();
  const allowed = canUse(me, 'script');
  const refusing = useRefusal(me, {
    feature: 'script',
    price: priceFor(me, 'script') ?? 0,
    fallback: m.script_failed(),
  });
  const form = usePersistedForm<FormValues>(
    work ? `script:${work.id}` : 'script',
    valuesOf(work),
    me?.id ?? null,
  );
  const runs = useScriptRuns({
    work,
    setCredits,
    onStarted(workId) {
      form.forget();
      onTextStarted(workId);
    },
    onChanged: () => void revalidate(),
    onRefused: refusing.refuse,
  });
  const source = useAutosave(work, refusing, () => void revalidate());
  const unsavedDialog = useUnsavedChanges(source);
  const { writing } = runs;
  const submit = async (values: FormValues) => {
    if (writing.busy) return;
    refusing.clear();
    if (!me) return openSignIn({ reason: m.texts_sign_in() });
    if (!allowed) return refusing.upgrade();
    // Save manual changes before a new version is added on top of them.
    if (work && (await source.save()) === null) return;
    runs.write(values);
  };
  return (
    <>
      <ToolColumns
        opened={work !== null}
        form={
          <ScriptForm
            me={me}
            form={form}
            price={allowed && me ? m.script_price({ count: featureTable.script.price }) : null}
            onUpgrade={refusing.upgrade}
            onSubmit={(values) => void submit(values)}
            run={{
              label:
                !me || !allowed
                  ? m.tools_generate()
                  : priceLabel(work ? m.tools_generate_again() : m.tools_generate(), me, 'script'),
              phase: writing.phase,
              onStop: writing.stop,
            }}
          />
        }
        result={
          work ? (
            <ScriptResult
              work={work}
              me={me}
              runs={runs}
              source={source}
              refusing={refusing}
              rewriteLabel={allowed ? priceLabel(m.script_rewrite(), me, 'script') : m.script_rewrite()}
              onRetry={(failed) => void submit(failed ? form.values : valuesOf(work))}
            />
          ) : !me ? (
            landingSample
          ) : missing ? (
            <ToolResult label={m.script_document()} title={m.script_missing()} refusing={refusing}>
              <ToolMissing feature="script" newLabel={m.script_new()} />
            </ToolResult>
          ) : (
            <ToolResult
              label={m.common_sample()}
              title={featureTable.script.name}
              lead={m.script_lead()}
              actions={<CopyButton text={sample} />}
              refusing={refusing}
            >
              {allowed ? (
                <p className="h3">{m.script_sample_yours()}</p>
              ) : (
                <LockedTool
                  tool={featureTable.script.name}
                  points={promises()}
                  onUpgrade={refusing.upgrade}
                />
              )}
              <ScriptDocument text={sample} lang="en" live={null} plain={false} />
            </ToolResult>
          )
        }
      />
      {refusing.dialog}
      {unsavedDialog}
    </>
  );
}

export const ScriptPage = ({ data }: { data: ScriptPageData }) => (
  <TextToolPage
    feature="script"
    data={data}
    landing={landing}
    newLabel={m.script_new()}
    list={{ title: m.script_list(), empty: m.script_list_empty() }}
    Workspace={Workspace}
  >
    <SupportedApps />
  </TextToolPage>
);
