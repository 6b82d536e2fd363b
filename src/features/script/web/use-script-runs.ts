import { type TextRunsOptions, useTextRuns } from '#features/texts/web/use-text-runs.ts';
import { m } from '#messages';
import type { RewriteFormValues } from './rewrite/rewrite-form.tsx';
import type { FormValues } from './script-form.tsx';

export type ScriptRuns = ReturnType<typeof useScriptRuns>;

export function useScriptRuns(options: TextRunsOptions) {
  const { work } = options;
  const { write, rewrite, ...runs } = useTextRuns(options, {
    writing: { started: m.script_begun, done: m.script_success },
    rewriting: { started: m.script_rewriting, done: m.texts_suggestion_waiting },
  });
  return {
    ...runs,
    write({ scene, style, minutes, characters }: FormValues) {
      const length = minutes === '' ? null : Number(minutes);
      const body = { scene, style, minutes: length, characters, workId: work?.id ?? null };
      write({ path: '/api/scripts', body });
    },
    rewrite(values: RewriteFormValues, versionId: string) {
      if (work) rewrite({ path: `/api/scripts/${work.id}/rewrites`, body: { versionId, ...values } });
    },
  };
}
