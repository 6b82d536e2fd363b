import { useRevalidator } from 'react-router';
import { toast } from '#client/page-events.ts';
import type { TextDetail } from '#features/texts/contract.ts';
import { type Autosave, useAutosave } from '#features/texts/web/use-autosave.ts';
import { m } from '#messages';

export interface ScriptSource extends Autosave {
  /** null where it could not be saved, which the person was told. */
  saved(): Promise<string | null>;
}

export function useScriptSource(work: TextDetail | null): ScriptSource {
  const { revalidate } = useRevalidator();
  const saving = useAutosave(work, () => void revalidate());
  const saved = async () => {
    const id = await saving.save();
    if (id === null) toast({ title: m.common_error(), text: m.script_unsaved(), kind: 'danger' });
    return id;
  };
  return { ...saving, saved };
}
