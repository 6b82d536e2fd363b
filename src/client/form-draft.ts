import { local } from './storage.ts';

/** Keys with this prefix are removed at sign-out, and after some time; see `StoredItem` `draft:*`. */
const keyOf = (form: string) => `draft:form:${form}`;

interface FormDraft {
  values: Record<string, unknown>;
  at: number;
  /** User id; null for a guest. */
  owner: string | null;
}

export function readFormDraft(form: string): FormDraft | null {
  try {
    const value = JSON.parse(local.getItem(keyOf(form)) ?? 'null') as Partial<FormDraft> | null;
    if (typeof value?.at !== 'number' || typeof value.values !== 'object' || value.values === null)
      return null;
    return {
      values: value.values,
      at: value.at,
      owner: typeof value.owner === 'string' ? value.owner : null,
    };
  } catch {
    return null;
  }
}

/** @returns false if the browser doesn't store anything */
export function writeFormDraft(form: string, draft: FormDraft | null): boolean {
  if (draft) return local.setItem(keyOf(form), JSON.stringify(draft));
  local.removeItem(keyOf(form));
  return local.works;
}

export const textFields: Readonly<Record<string, string>> = {
  writer: 'prompt',
  image: 'prompt',
  script: 'scene',
  'pdf-question': 'question',
};

/**
 * Puts the text before what was typed in the form; shown when the form opens next. `owner` is null if the page doesn't
 * know the user.
 * @returns false if the browser doesn't store anything
 */
export function prefillText(form: string, owner: string | null, text: string): boolean {
  const draft = readFormDraft(form);
  const ownDraft = draft && (owner === null || draft.owner === null || draft.owner === owner) ? draft : null;
  const field = textFields[form] ?? '';
  const previous = ownDraft?.values[field];
  const typed = typeof previous === 'string' ? previous.trim() : '';
  return writeFormDraft(form, {
    values: {
      ...ownDraft?.values,
      [field]: typed === '' || typed === text.trim() ? text : `${text}\n\n${typed}`,
    },
    at: Date.now(),
    owner: owner ?? ownDraft?.owner ?? null,
  });
}

export function takeTextFromUrl(): string | null {
  const url = new URL(location.href);
  const text = url.searchParams.get('text');
  if (text === null) return null;
  url.searchParams.delete('text');
  history.replaceState(history.state, '', url);
  return text.trim() === '' ? null : text;
}

export function takePrefilledText(form: string, owner: string | null): string | null {
  const draft = readFormDraft(form);
  const text = draft?.values[textFields[form] ?? ''];
  if (typeof text !== 'string' || (draft?.owner != null && draft.owner !== owner)) return null;
  writeFormDraft(form, null);
  return text;
}
