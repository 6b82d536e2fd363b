import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { toast } from '#client/page-events.ts';
import { ProblemError } from '#client/problem-error.ts';
import { newUuid } from '#client/uuid.ts';
import type { useRefusal } from '#features/credits/web/use-refusal.tsx';
import { m } from '#messages';
import type { TextDetail, Version } from '../contract.ts';
import { isOlderVersion } from './older-version-notice.tsx';
import { saveVersion } from './texts-api.ts';

const SAVE_DELAY_MS = 800;
const RETRY_MS = 5_000;

export type Autosave = ReturnType<typeof useAutosave>;

export type SaveState = 'saved' | 'waiting' | 'saving' | 'failed';

export const saveStates: Record<SaveState, () => string> = {
  saved: m.texts_saved,
  waiting: m.texts_unsaved,
  saving: m.texts_saving,
  failed: m.texts_save_failed,
};

interface LocalText {
  workId: string;
  id: string;
  edition: number;
  content: string;
  stored: string | null;
  /** The server's version that the edit is based on, and that the page may still show. */
  base: string;
}

const versionKey = ({ id, edition }: Version) => `${id} ${edition}`;

/** Continues the newest version if it is an edited one; on top of any other, an edit starts a new version. */
function startEdit({ id: workId, version, versions }: TextDetail): LocalText {
  const continues = version.kind === 'edited' && versions[0]?.id === version.id;
  return {
    workId,
    id: continues ? version.id : newUuid(),
    edition: continues ? version.edition : 0,
    content: version.content,
    stored: version.content,
    base: versionKey(version),
  };
}

/** Whether the local changes are newer than what the page has from the server. */
function isNewer(edit: LocalText, work: TextDetail | null): boolean {
  if (!work || edit.workId !== work.id) return false;
  if (edit.content !== edit.stored) return true;
  const { version } = work;
  if (isOlderVersion(work)) return false;
  return versionKey(version) === edit.base || (version.id === edit.id && version.edition <= edit.edition);
}

/** The version that a save is now based on. */
const baseFor = (work: TextDetail | null, edit: LocalText) =>
  work && work.id === edit.workId && !isOlderVersion(work) ? versionKey(work.version) : edit.base;

const isConflict = (error: unknown) => error instanceof ProblemError && error.body.code === 'conflict';

const isFinal = (error: unknown) =>
  error instanceof ProblemError && [400, 403, 404, 409, 413].includes(error.status);

const retryDelay = (error: unknown) =>
  Math.max(RETRY_MS, (error instanceof ProblemError ? (error.retryAfter ?? 0) : 0) * 1_000);

type Refusing = Pick<ReturnType<typeof useRefusal>, 'refuse' | 'clear'>;

/**
 * Saves shortly after the last keystroke, when the page is left, and on `save`; one save at a time. A text that cannot
 * be saved is kept here, and each reason is reported once. @param onVersion called when a save has created a version.
 */
export function useAutosave(work: TextDetail | null, { refuse, clear }: Refusing, onVersion: () => void) {
  const [saving, setSaving] = useState<SaveState>('saved');
  const [problem, setProblem] = useState<string | null>(null);
  const [shownLocal, setShownLocal] = useState<LocalText | null>(null);
  const local = useRef<LocalText | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const running = useRef<Promise<string | null> | null>(null);
  const retry = useRef<() => Promise<string | null>>(async () => null);
  const unmounted = useRef(false);
  const reportedText = useRef<string | null>(null);
  const signedOut = useRef(false);
  const latest = useRef({ work, onVersion, refuse, clear });
  latest.current = { work, onVersion, refuse, clear };

  const setLocal = useCallback((next: LocalText | null) => {
    local.current = next;
    setShownLocal(next);
  }, []);

  const succeed = useCallback((state: 'saved' | 'waiting') => {
    setSaving(state);
    setProblem(null);
    reportedText.current = null;
    if (signedOut.current) latest.current.clear();
    signedOut.current = false;
  }, []);

  const fail = useCallback((error: unknown) => {
    setSaving('failed');
    signedOut.current = error instanceof ProblemError && error.body.code === 'unauthorized';
    const text = error instanceof ProblemError ? error.message : m.texts_not_saved();
    setProblem(signedOut.current ? null : text);
    if (reportedText.current === text) return;
    reportedText.current = text;
    if (signedOut.current) latest.current.refuse(error);
    else toast({ title: m.common_error(), text, kind: 'danger' });
  }, []);

  // Once the server has a newer text, show the server's.
  useLayoutEffect(() => {
    const edit = local.current;
    if (!edit) return;
    if (!isNewer(edit, work)) {
      clearTimeout(timer.current);
      setLocal(null);
      succeed('saved');
    } else if (work?.version.id === edit.id) edit.base = versionKey(work.version);
  }, [work, setLocal, succeed]);

  const attempt = useCallback(
    async (separate = false): Promise<string | null> => {
      const edit = local.current;
      if (!edit || edit.content === edit.stored) return edit?.id ?? latest.current.work?.version.id ?? null;
      // A failure stays visible until a save succeeds, so that its notice does not flicker.
      setSaving((previous) => (previous === 'failed' ? previous : 'saving'));
      try {
        const saved = await saveVersion(edit.workId, edit.id, edit.content, edit.edition);
        if (local.current?.workId !== edit.workId) return saved.id;
        const { content } = local.current;
        const base = baseFor(latest.current.work, edit);
        setLocal({ ...edit, content, edition: saved.edition, stored: edit.content, base });
        succeed(content === edit.content ? 'saved' : 'waiting');
        if (separate) toast({ text: m.texts_saved_apart(), kind: 'info' });
        if (edit.edition === 0) latest.current.onVersion();
        return content === edit.content ? saved.id : attempt();
      } catch (error) {
        if (local.current?.workId !== edit.workId) return null;
        // A text that conflicts with another change becomes a separate version, so that both are kept.
        if (isConflict(error) && !separate) {
          setLocal({ ...local.current, id: newUuid(), edition: 0 });
          return attempt(true);
        }
        fail(error);
        clearTimeout(timer.current);
        if (!isFinal(error) && !unmounted.current)
          timer.current = setTimeout(() => void retry.current(), retryDelay(error));
        return null;
      }
    },
    [setLocal, succeed, fail],
  );

  const saveNow = useCallback((): Promise<string | null> => {
    clearTimeout(timer.current);
    running.current ??= attempt().finally(() => {
      running.current = null;
    });
    return running.current;
  }, [attempt]);
  retry.current = saveNow;

  /** Reports a failure again. @returns the version that holds the text, null if it could not be saved. */
  const save = useCallback(() => {
    reportedText.current = null;
    return saveNow();
  }, [saveNow]);

  /** Like `change`, but without rerendering: the field that the person types in already shows the text. */
  const trackTyping = useCallback(
    (content: string) => {
      const edit = local.current ?? (latest.current.work && startEdit(latest.current.work));
      if (!edit) return;
      local.current = { ...edit, content };
      clearTimeout(timer.current);
      if (content === edit.stored && running.current === null) return succeed('saved');
      setSaving((previous) => (previous === 'saving' ? previous : 'waiting'));
      timer.current = setTimeout(() => void saveNow(), SAVE_DELAY_MS);
    },
    [saveNow, succeed],
  );

  const change = useCallback(
    (content: string) => {
      trackTyping(content);
      setShownLocal(local.current);
    },
    [trackTyping],
  );

  useEffect(() => {
    unmounted.current = false;
    const flush = () => void saveNow();
    addEventListener('pagehide', flush);
    addEventListener('online', flush);
    return () => {
      removeEventListener('pagehide', flush);
      removeEventListener('online', flush);
      unmounted.current = true;
      flush();
    };
  }, [saveNow]);
  /** null if the server's text is the newest. */
  const newerLocal = shownLocal && isNewer(shownLocal, work) ? shownLocal : null;
  return {
    local: newerLocal,
    isNewest: () => local.current !== null,
    saving,
    problem,
    change,
    trackTyping,
    save,
  };
}
