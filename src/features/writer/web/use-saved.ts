import { useEffect, useRef, useState } from 'react';
import { toast } from '../../../client/page-events.ts';
import { ProblemError } from '../../../client/problem-error.ts';
import type { useRefusal } from '../../credits/web/use-refusal.tsx';
import type { WorkView } from '../../works/contract.ts';
import { writerTexts } from '../contract.ts';
import { type TextControl, useText } from './use-text.ts';

type Refusing = Pick<ReturnType<typeof useRefusal>, 'refuse' | 'clear'>;

/**
 * The text, and what is said while it cannot be saved: null while it can.
 * @param onSaved a version was made or saved.
 */
export function useSaved(
  work: WorkView | null,
  { refuse, clear }: Refusing,
  onSaved: () => void,
): [control: TextControl, unsaved: string | null] {
  const [unsaved, setUnsaved] = useState<string | null>(null);
  const signedOut = useRef(false);
  const control = useText(work, {
    onSaved,
    onRefused(error) {
      const known = error instanceof ProblemError;
      signedOut.current = known && error.body.code === 'unauthorized';
      if (signedOut.current) return refuse(error);
      const text = known ? error.message : writerTexts.notSaved;
      setUnsaved(text);
      toast({ title: 'Error', text, kind: 'danger' });
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
