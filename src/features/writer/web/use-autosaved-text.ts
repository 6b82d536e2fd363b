import { useEffect, useRef, useState } from 'react';
import { toast } from '#client/page-events.ts';
import { ProblemError } from '#client/problem-error.ts';
import type { useRefusal } from '#features/credits/web/use-refusal.tsx';
import type { TextDetail } from '#features/texts/contract.ts';
import { m } from '#messages';
import { type TextEditor, useTextEditor } from './use-text-editor.ts';

type Refusing = Pick<ReturnType<typeof useRefusal>, 'refuse' | 'clear'>;

/** `unsaved` is what is said while the text cannot be saved. @param onSaved a version was made or saved. */
export function useAutosavedText(
  work: TextDetail | null,
  { refuse, clear }: Refusing,
  onSaved: () => void,
): [control: TextEditor, unsaved: string | null] {
  const [unsaved, setUnsaved] = useState<string | null>(null);
  const signedOut = useRef(false);
  const control = useTextEditor(work, {
    onSaved,
    onRefused(error) {
      const known = error instanceof ProblemError;
      signedOut.current = known && error.body.code === 'unauthorized';
      if (signedOut.current) return refuse(error);
      const text = known ? error.message : m.texts_not_saved();
      setUnsaved(text);
      toast({ title: m.common_error(), text, kind: 'danger' });
    },
  });
  const isSaved = control.saving === 'saved';
  useEffect(() => {
    if (!isSaved) return;
    setUnsaved(null);
    if (signedOut.current) clear();
    signedOut.current = false;
  }, [isSaved, clear]);
  return [control, isSaved ? null : unsaved];
}
