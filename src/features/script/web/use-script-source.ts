import { useRevalidator } from 'react-router';
import { toast } from '#client/page-events.ts';
import type { TextDetail } from '#features/texts/contract.ts';
import { useAutosave } from '#features/texts/web/use-autosave.ts';
import { m } from '#messages';

export type ScriptSource = ReturnType<typeof useScriptSource>;

export function useScriptSource(work: TextDetail | null) {
  const { revalidate } = useRevalidator();
  const saving = useAutosave(work, () => void revalidate());
  /** null where it could not be saved, which the person was told. */
  const saved = async () => {
    const id = await saving.save();
    if (id === null) toast({ title: m.common_error(), text: m.script_unsaved(), kind: 'danger' });
    return id;
  };
  return { ...saving, saved };
}
