import { useCallback, useEffect, useRef, useState } from 'react';
import { ProblemError } from '../../../client/problem-error.ts';
import { newId } from '../../../client/uuid.ts';
import type { Version } from '../contract.ts';
import { saveVersion } from './api.ts';

/** Milliseconds after the last key at which a text is saved. */
const PAUSE_MS = 800;
/** Milliseconds after a failed save at which it is tried again. */
const AGAIN_MS = 5_000;

export type SaveState = 'saved' | 'changed' | 'saving' | 'failed' | 'conflict';

interface Saving {
  state: SaveState;
  /** What a failed or refused save said. */
  problem: string | null;
  /** The text has been changed by its owner. */
  change(content: string): void;
  /** Saves what is not saved yet, now. Resolves when it is; rejects with what the server said. */
  flush(): Promise<void>;
}

interface Pending {
  workId: string;
  versionId: string;
  /** 0: the version is not made yet. */
  edition: number;
  /** What is to be saved; null: nothing. */
  content: string | null;
}

/** An edit goes on in the version that is being edited; above any other version it begins one of its own. */
const pendingOf = (workId: string, version: Version): Pending =>
  version.kind === 'edited'
    ? { workId, versionId: version.id, edition: version.edition, content: null }
    : { workId, versionId: newId(), edition: 0, content: null };

/**
 * Saves a text while it is edited, a moment after the last key, when the page is left and by `flush`; one save at a
 * time. A text that cannot be saved stays in the page, which asks before it is left.
 * @param onSaved hears of each save: the version's id and its count of words.
 */
export function useSaving(
  workId: string,
  version: Version,
  onSaved: (saved: { id: string; edition: number; words: number }, content: string) => void,
): Saving {
  const [state, setState] = useState<SaveState>('saved');
  const [problem, setProblem] = useState<string | null>(null);
  const pending = useRef<Pending>(pendingOf(workId, version));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const running = useRef<Promise<void> | null>(null);
  const heard = useRef(onSaved);
  heard.current = onSaved;
  // Another version is shown: what was typed into the one before is saved by its own pending save.
  if (
    pending.current.workId !== workId ||
    (pending.current.versionId !== version.id && pending.current.content === null && !running.current)
  )
    pending.current = pendingOf(workId, version);

  const flush = useCallback(async (): Promise<void> => {
    clearTimeout(timer.current);
    await running.current?.catch(() => undefined);
    const mine = pending.current;
    const { content } = mine;
    if (content === null) return;
    const work = (async () => {
      setState('saving');
      try {
        const saved = await saveVersion(mine.workId, mine.versionId, content, mine.edition);
        mine.edition = saved.edition;
        if (mine.content === content) mine.content = null;
        setProblem(null);
        setState(mine.content === null ? 'saved' : 'changed');
        heard.current(saved, content);
      } catch (error) {
        const conflict = error instanceof ProblemError && error.body.code === 'conflict';
        setProblem(error instanceof Error ? error.message : 'The text could not be saved.');
        setState(conflict ? 'conflict' : 'failed');
        if (!conflict) timer.current = setTimeout(() => void flush().catch(() => undefined), AGAIN_MS);
        throw error;
      } finally {
        running.current = null;
      }
    })();
    running.current = work;
    await work;
    if (mine.content !== null) await flush();
  }, []);

  const change = useCallback(
    (content: string) => {
      pending.current.content = content;
      setState((was) => (was === 'conflict' ? was : 'changed'));
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void flush().catch(() => undefined), PAUSE_MS);
    },
    [flush],
  );

  useEffect(() => {
    const save = () => void flush().catch(() => undefined);
    const ask = (event: BeforeUnloadEvent) => {
      if (pending.current.content !== null) event.preventDefault();
    };
    addEventListener('pagehide', save);
    addEventListener('online', save);
    addEventListener('beforeunload', ask);
    return () => {
      removeEventListener('pagehide', save);
      removeEventListener('online', save);
      removeEventListener('beforeunload', ask);
      clearTimeout(timer.current);
      save();
    };
  }, [flush]);
  return { state, problem, change, flush };
}
