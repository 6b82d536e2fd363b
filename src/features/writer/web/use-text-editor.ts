import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { toast } from '#client/page-events.ts';
import { ProblemError } from '#client/problem-error.ts';
import { newUuid } from '#client/uuid.ts';
import type { TextDetail } from '#features/texts/contract.ts';
import { saveVersion } from '#features/texts/web/texts-api.ts';
import { m } from '#messages';

const AUTOSAVE_MS = 1_000;
const RETRY_MS = 5_000;
const UNDO_LIMIT = 100;

interface SavedState {
  workId: string | null;
  versionId: string;
  edition: number;
  content: string;
  /** An edited version that is the newest: saved again, it stays the same version. */
  edited: boolean;
}

function savedStateOf(work: TextDetail | null): SavedState {
  if (!work) return { workId: null, versionId: '', edition: 0, content: '', edited: false };
  const { id, edition, content, kind } = work.version;
  const edited = kind === 'edited' && work.versions[0]?.id === id;
  return { workId: work.id, versionId: id, edition, content, edited };
}

const isConflict = (error: unknown) => error instanceof ProblemError && error.body.code === 'conflict';

function retryDelay(error: unknown): number | null {
  if (!(error instanceof ProblemError)) return RETRY_MS;
  const mayPass = error.status >= 500 || error.status === 429 || error.status === 401;
  return mayPass ? Math.max(RETRY_MS, (error.retryAfter ?? 0) * 1_000) : null;
}

export type Saving = 'saved' | 'waiting' | 'saving' | 'failed';

export type TextEditor = ReturnType<typeof useTextEditor>;

/**
 * @param onSaved a version was made or saved. @param onRefused a save has failed; one that is tried again by itself and
 * fails alike is not told of again.
 */
export function useTextEditor(
  work: TextDetail | null,
  { onSaved, onRefused }: { onSaved: () => void; onRefused: (error: unknown) => void },
) {
  const [text, setText] = useState(work?.version.content ?? '');
  const [saving, setSaving] = useState<Saving>('saved');
  const [, setSteps] = useState(0);
  const held = useRef<SavedState>(savedStateOf(work));
  const latest = useRef(text);
  /** What was last shown, unless that was nothing. */
  const whole = useRef(text);
  const steps = useRef<Record<'past' | 'future', string[]>>({ past: [], future: [] });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const saveId = useRef<string | null>(null);
  const underWay = useRef<Promise<string | null> | null>(null);
  const here = useRef(true);
  const saveAgain = useRef<() => unknown>(() => undefined);
  const refused = useRef<string | null>(null);
  const told = useRef({ onSaved, onRefused });
  told.current = { onSaved, onRefused };

  const show = useCallback((next: string) => {
    latest.current = next;
    if (next !== '') whole.current = next;
    setText(next);
  }, []);

  // Before it is painted: another text, another version, or what a run has made.
  useLayoutEffect(() => {
    const before = held.current;
    const now = savedStateOf(work);
    if (now.workId !== before.workId) {
      clearTimeout(timer.current);
      held.current = now;
      saveId.current = null;
      steps.current = { past: [], future: [] };
      whole.current = '';
      setSaving('saved');
      return show(now.content);
    }
    const known = now.versionId === before.versionId && now.edition <= before.edition;
    if (known && now.content === before.content) return;
    // What is being changed here stays; a save of it meets the other one.
    if (latest.current !== before.content && now.content !== latest.current) return;
    held.current = now;
    saveId.current = null;
    if (now.content === latest.current) return;
    // While a version is written it has no text; an Undo goes back to the one before.
    const last = whole.current;
    if (now.content !== '' && last !== '' && last !== now.content)
      steps.current = { past: [...steps.current.past, last].slice(-UNDO_LIMIT), future: [] };
    show(now.content);
  }, [work, show]);

  const store = useCallback(async (apart = false): Promise<string | null> => {
    const { workId, versionId, edition, edited, content: stored } = held.current;
    const content = latest.current;
    if (workId === null) return null;
    if (content === stored) return versionId;
    saveId.current ??= edited ? versionId : newUuid();
    const id = saveId.current;
    // A failure stands until it is mended: what asks because of it does not come and go.
    setSaving((was) => (was === 'failed' ? was : 'saving'));
    try {
      const saved = await saveVersion(workId, id, content, edited ? edition : 0);
      if (held.current.workId !== workId) return id;
      held.current = { workId, versionId: id, edition: saved.edition, content, edited: true };
      refused.current = null;
      setSaving(latest.current === content ? 'saved' : 'waiting');
      if (apart) toast({ text: m.texts_saved_apart(), kind: 'info' });
      told.current.onSaved();
      return latest.current === content ? id : store();
    } catch (error) {
      if (held.current.workId !== workId) return null;
      if (isConflict(error) && !apart) {
        // Somebody else has saved, or has begun another version: both texts become versions.
        held.current = { ...held.current, edited: false };
        saveId.current = newUuid();
        return store(true);
      }
      setSaving('failed');
      const said = error instanceof ProblemError ? error.message : '';
      if (refused.current !== said) told.current.onRefused(error);
      refused.current = said;
      const after = retryDelay(error);
      clearTimeout(timer.current);
      if (after !== null && here.current) timer.current = setTimeout(() => void saveAgain.current(), after);
      return null;
    }
  }, []);

  const saveQuietly = useCallback((): Promise<string | null> => {
    clearTimeout(timer.current);
    underWay.current ??= store().finally(() => {
      underWay.current = null;
    });
    return underWay.current;
  }, [store]);
  saveAgain.current = saveQuietly;
  /** Tells of a failure again. @returns the version that holds the text, null when it could not be saved. */
  const save = useCallback(() => {
    refused.current = null;
    return saveQuietly();
  }, [saveQuietly]);

  const soon = useCallback(() => {
    clearTimeout(timer.current);
    if (latest.current === held.current.content) return setSaving('saved');
    setSaving('waiting');
    timer.current = setTimeout(() => void saveQuietly(), AUTOSAVE_MS);
  }, [saveQuietly]);

  useEffect(() => {
    here.current = true;
    const leave = () => {
      if (latest.current !== held.current.content) void saveQuietly();
    };
    window.addEventListener('pagehide', leave);
    window.addEventListener('online', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('online', leave);
      clearTimeout(timer.current);
      here.current = false;
    };
  }, [saveQuietly]);

  /** Saved, but no step that can be undone yet. */
  const typing = useCallback(
    (next: string) => {
      latest.current = next;
      soon();
    },
    [soon],
  );
  const change = useCallback(
    (next: string) => {
      if (next !== text)
        steps.current = { past: [...steps.current.past, text].slice(-UNDO_LIMIT), future: [] };
      show(next);
      soon();
    },
    [text, show, soon],
  );
  const step = (from: 'past' | 'future', to: 'past' | 'future') => {
    const next = steps.current[from].pop();
    if (next === undefined) return;
    steps.current[to].push(text);
    setSteps((count) => count + 1);
    show(next);
    soon();
  };
  return {
    text,
    saving,
    canUndo: steps.current.past.length > 0,
    canRedo: steps.current.future.length > 0,
    change,
    typing,
    undo: () => step('past', 'future'),
    redo: () => step('future', 'past'),
    save,
  };
}
