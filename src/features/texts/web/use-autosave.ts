import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { toast } from '#client/page-events.ts';
import { ProblemError } from '#client/problem-error.ts';
import { newUuid } from '#client/uuid.ts';
import type { useRefusal } from '#features/credits/web/use-refusal.tsx';
import { m } from '#messages';
import type { TextDetail, Version } from '../contract.ts';
import { isOlderVersion } from './older-version-notice.tsx';
import { saveVersion } from './texts-api.ts';

const PAUSE_MS = 800;
const RETRY_MS = 5_000;

export type Autosave = ReturnType<typeof useAutosave>;

export type SaveState = 'saved' | 'waiting' | 'saving' | 'failed';

export const saveStates: Record<SaveState, () => string> = {
  saved: m.texts_saved,
  waiting: m.texts_unsaved,
  saving: m.texts_saving,
  failed: m.texts_save_failed,
};

interface Own {
  workId: string;
  id: string;
  edition: number;
  content: string;
  stored: string | null;
  /** The server's version that the edit is based on, and that the page may still show. */
  base: string;
}

const stateOf = ({ id, edition }: Version) => `${id} ${edition}`;

/** Continues the newest version if it is an edited one; on top of any other, an edit starts a new version. */
function begin({ id: workId, version, versions }: TextDetail): Own {
  const goesOn = version.kind === 'edited' && versions[0]?.id === version.id;
  return {
    workId,
    id: goesOn ? version.id : newUuid(),
    edition: goesOn ? version.edition : 0,
    content: version.content,
    stored: version.content,
    base: stateOf(version),
  };
}

/** Whether the local changes are newer than what the page has from the server. */
function covers(own: Own, work: TextDetail | null): boolean {
  if (!work || own.workId !== work.id) return false;
  if (own.content !== own.stored) return true;
  const { version } = work;
  if (isOlderVersion(work)) return false;
  return stateOf(version) === own.base || (version.id === own.id && version.edition <= own.edition);
}

/** The version that a save is now based on. */
const baseIn = (work: TextDetail | null, own: Own) =>
  work && work.id === own.workId && !isOlderVersion(work) ? stateOf(work.version) : own.base;

const isConflict = (error: unknown) => error instanceof ProblemError && error.body.code === 'conflict';

const isFinal = (error: unknown) =>
  error instanceof ProblemError && [400, 403, 404, 409, 413].includes(error.status);

const pauseAfter = (error: unknown) =>
  Math.max(RETRY_MS, (error instanceof ProblemError ? (error.retryAfter ?? 0) : 0) * 1_000);

type Refusing = Pick<ReturnType<typeof useRefusal>, 'refuse' | 'clear'>;

/**
 * Saves shortly after the last keystroke, when the page is left, and on `save`; one save at a time. A text that cannot
 * be saved is kept here, and each reason is reported once. @param onVersion called when a save has created a version.
 */
export function useAutosave(work: TextDetail | null, { refuse, clear }: Refusing, onVersion: () => void) {
  const [saving, setSaving] = useState<SaveState>('saved');
  const [problem, setProblem] = useState<string | null>(null);
  const [held, setHeld] = useState<Own | null>(null);
  const own = useRef<Own | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const running = useRef<Promise<string | null> | null>(null);
  const again = useRef<() => Promise<string | null>>(async () => null);
  const left = useRef(false);
  const told = useRef<string | null>(null);
  const signedOut = useRef(false);
  const seen = useRef({ work, onVersion, refuse, clear });
  seen.current = { work, onVersion, refuse, clear };

  const hold = useCallback((next: Own | null) => {
    own.current = next;
    setHeld(next);
  }, []);

  const settle = useCallback((state: 'saved' | 'waiting') => {
    setSaving(state);
    setProblem(null);
    told.current = null;
    if (signedOut.current) seen.current.clear();
    signedOut.current = false;
  }, []);

  const fail = useCallback((error: unknown) => {
    setSaving('failed');
    signedOut.current = error instanceof ProblemError && error.body.code === 'unauthorized';
    const text = error instanceof ProblemError ? error.message : m.texts_not_saved();
    setProblem(signedOut.current ? null : text);
    if (told.current === text) return;
    told.current = text;
    if (signedOut.current) seen.current.refuse(error);
    else toast({ title: m.common_error(), text, kind: 'danger' });
  }, []);

  // Once the server has a newer text, show the server's.
  useLayoutEffect(() => {
    const mine = own.current;
    if (!mine) return;
    if (!covers(mine, work)) {
      clearTimeout(timer.current);
      hold(null);
      settle('saved');
    } else if (work?.version.id === mine.id) mine.base = stateOf(work.version);
  }, [work, hold, settle]);

  const attempt = useCallback(
    async (apart = false): Promise<string | null> => {
      const mine = own.current;
      if (!mine || mine.content === mine.stored) return mine?.id ?? seen.current.work?.version.id ?? null;
      // A failure stays visible until a save succeeds, so that its notice does not flicker.
      setSaving((was) => (was === 'failed' ? was : 'saving'));
      try {
        const saved = await saveVersion(mine.workId, mine.id, mine.content, mine.edition);
        if (own.current?.workId !== mine.workId) return saved.id;
        const { content } = own.current;
        const base = baseIn(seen.current.work, mine);
        hold({ ...mine, content, edition: saved.edition, stored: mine.content, base });
        settle(content === mine.content ? 'saved' : 'waiting');
        if (apart) toast({ text: m.texts_saved_apart(), kind: 'info' });
        if (mine.edition === 0) seen.current.onVersion();
        return content === mine.content ? saved.id : attempt();
      } catch (error) {
        if (own.current?.workId !== mine.workId) return null;
        // A text that conflicts with another change becomes a separate version, so that both are kept.
        if (isConflict(error) && !apart) {
          hold({ ...own.current, id: newUuid(), edition: 0 });
          return attempt(true);
        }
        fail(error);
        clearTimeout(timer.current);
        if (!isFinal(error) && !left.current)
          timer.current = setTimeout(() => void again.current(), pauseAfter(error));
        return null;
      }
    },
    [hold, settle, fail],
  );

  const saveAlone = useCallback((): Promise<string | null> => {
    clearTimeout(timer.current);
    running.current ??= attempt().finally(() => {
      running.current = null;
    });
    return running.current;
  }, [attempt]);
  again.current = saveAlone;

  /** Reports a failure again. @returns the version that holds the text, null if it could not be saved. */
  const save = useCallback(() => {
    told.current = null;
    return saveAlone();
  }, [saveAlone]);

  /** Like `change`, but without rerendering: the field that the person types in already shows the text. */
  const typing = useCallback(
    (content: string) => {
      const from = own.current ?? (seen.current.work && begin(seen.current.work));
      if (!from) return;
      own.current = { ...from, content };
      clearTimeout(timer.current);
      if (content === from.stored && running.current === null) return settle('saved');
      setSaving((was) => (was === 'saving' ? was : 'waiting'));
      timer.current = setTimeout(() => void saveAlone(), PAUSE_MS);
    },
    [saveAlone, settle],
  );

  const change = useCallback(
    (content: string) => {
      typing(content);
      setHeld(own.current);
    },
    [typing],
  );

  useEffect(() => {
    left.current = false;
    const leave = () => void saveAlone();
    addEventListener('pagehide', leave);
    addEventListener('online', leave);
    return () => {
      removeEventListener('pagehide', leave);
      removeEventListener('online', leave);
      left.current = true;
      leave();
    };
  }, [saveAlone]);
  /** null if the server's text is the newest. */
  const newer = held && covers(held, work) ? held : null;
  return { own: newer, isNewest: () => own.current !== null, saving, problem, change, typing, save };
}
