import { useCallback, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { prefillText, readFormDraft, takeTextFromUrl, textFields, writeFormDraft } from './form-draft.ts';

function mergeKnown<T extends object>(initial: T, draft: Record<string, unknown>): T {
  const known = Object.entries(draft).filter(
    ([name, value]) => name in initial && typeof value === typeof initial[name as keyof T],
  );
  return { ...initial, ...Object.fromEntries(known) };
}

export interface PersistedForm<T> {
  values: T;
  change(changed: Partial<T>): void;
  forget(): void;
  ready: boolean;
}

/**
 * Keeps the form in this browser across reloads and a sign-in. A guest's input passes to whoever signs in; another
 * person's is removed and not shown. `owner` is a user id; `initial` has strings, numbers and booleans.
 */
export function usePersistedForm<T extends object>(
  form: string,
  initial: T,
  owner: string | null,
): PersistedForm<T> {
  const [search] = useSearchParams();
  const field = textFields[form];
  const urlText = field ? search.get('text') : null;
  const [values, setValues] = useState<T>(urlText ? { ...initial, [field ?? '']: urlText } : initial);
  const [ready, setReady] = useState(false);
  const latest = useRef(values);
  const first = useRef(initial);
  const draftOwner = useRef<string | null>(null);

  useEffect(() => {
    const text = form in textFields ? takeTextFromUrl() : null;
    if (text) prefillText(form, owner, text);
    const draft = readFormDraft(form);
    const isForeign = draft?.owner != null && owner !== null && draft.owner !== owner;
    if (isForeign) writeFormDraft(form, null);
    // After signing out here, the input still belongs to the person who typed it.
    draftOwner.current = owner ?? (isForeign ? null : (draft?.owner ?? null));
    if (draft && !isForeign) {
      latest.current = mergeKnown(first.current, draft.values);
      setValues(latest.current);
      writeFormDraft(form, { ...draft, owner: draftOwner.current });
    } else if (isForeign) {
      latest.current = first.current;
      setValues(first.current);
    }
    setReady(true);
  }, [form, owner]);

  const change = useCallback(
    (changed: Partial<T>) => {
      latest.current = { ...latest.current, ...changed };
      setValues(latest.current);
      writeFormDraft(form, {
        values: { ...latest.current } as Record<string, unknown>,
        at: Date.now(),
        owner: draftOwner.current,
      });
    },
    [form],
  );
  const forget = useCallback(() => writeFormDraft(form, null), [form]);
  return { values, change, forget, ready };
}
