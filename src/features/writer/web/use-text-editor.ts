import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { TextDetail } from '#features/texts/contract.ts';
import { useAutosave } from '#features/texts/web/use-autosave.ts';

const UNDO_LIMIT = 100;

export type TextEditor = ReturnType<typeof useTextEditor>;

/** A text that saves itself, with steps back and forth. @param onVersion a save has made a version. */
export function useTextEditor(
  work: TextDetail | null,
  refusing: Parameters<typeof useAutosave>[1],
  onVersion: () => void,
) {
  const { isNewest, saving, problem, save, ...autosave } = useAutosave(work, refusing, onVersion);
  const [text, setText] = useState(work?.version.content ?? '');
  const [, setSteps] = useState(0);
  const shown = useRef({ workId: work?.id, text });
  /** What was last shown, unless that was nothing. */
  const whole = useRef(text);
  const steps = useRef<Record<'past' | 'future', string[]>>({ past: [], future: [] });

  const show = useCallback((next: string) => {
    shown.current.text = next;
    if (next !== '') whole.current = next;
    setText(next);
  }, []);
  const remember = (last: string) => {
    steps.current = { past: [...steps.current.past, last].slice(-UNDO_LIMIT), future: [] };
  };

  // Before it is painted: another text, another version, or what a run has made.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is changed here is read when the server tells of news
  useLayoutEffect(() => {
    const content = work?.version.content ?? '';
    if (work?.id !== shown.current.workId) {
      shown.current.workId = work?.id;
      steps.current = { past: [], future: [] };
      whole.current = '';
      return show(content);
    }
    if (isNewest() || content === shown.current.text) return;
    // While a version is written it has no text; an Undo goes back to the one before.
    const last = whole.current;
    if (content !== '' && last !== '' && last !== content) remember(last);
    show(content);
  }, [work, show]);

  const change = (next: string) => {
    if (next !== text) remember(text);
    show(next);
    autosave.change(next);
  };
  const step = (from: 'past' | 'future', to: 'past' | 'future') => {
    const next = steps.current[from].pop();
    if (next === undefined) return;
    steps.current[to].push(text);
    setSteps((count) => count + 1);
    show(next);
    autosave.change(next);
  };
  return {
    text,
    saving,
    problem,
    canUndo: steps.current.past.length > 0,
    canRedo: steps.current.future.length > 0,
    change,
    /** Saved, but no step that can be undone yet. */
    typing: autosave.typing,
    undo: () => step('past', 'future'),
    redo: () => step('future', 'past'),
    save,
  };
}
