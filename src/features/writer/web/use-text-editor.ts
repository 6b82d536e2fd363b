import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { TextDetail } from '#features/texts/contract.ts';
import { useAutosave } from '#features/texts/web/use-autosave.ts';

const UNDO_LIMIT = 100;

export type TextEditor = ReturnType<typeof useTextEditor>;

/** An autosaved text with undo and redo. @param onVersion called when a save has created a version. */
export function useTextEditor(
  work: TextDetail | null,
  refusing: Parameters<typeof useAutosave>[1],
  onVersion: () => void,
) {
  const { isNewest, saving, problem, save, ...autosave } = useAutosave(work, refusing, onVersion);
  const [text, setText] = useState(work?.version.content ?? '');
  const [, setSteps] = useState(0);
  const shown = useRef({ workId: work?.id, text });
  /** The last text that was shown and not empty. */
  const lastText = useRef(text);
  const steps = useRef<Record<'past' | 'future', string[]>>({ past: [], future: [] });

  const show = useCallback((next: string) => {
    shown.current.text = next;
    if (next !== '') lastText.current = next;
    setText(next);
  }, []);
  const remember = (previous: string) => {
    steps.current = { past: [...steps.current.past, previous].slice(-UNDO_LIMIT), future: [] };
  };

  // Show another text, another version, or the result of a run before the next paint.
  // biome-ignore lint/correctness/useExhaustiveDependencies: local changes are read only when the server has news
  useLayoutEffect(() => {
    const content = work?.version.content ?? '';
    if (work?.id !== shown.current.workId) {
      shown.current.workId = work?.id;
      steps.current = { past: [], future: [] };
      lastText.current = '';
      return show(content);
    }
    if (isNewest() || content === shown.current.text) return;
    // A version that is being written has no text yet; an Undo returns to the previous text.
    const previous = lastText.current;
    if (content !== '' && previous !== '' && previous !== content) remember(previous);
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
    /** Saves without adding a step that can be undone. */
    trackTyping: autosave.trackTyping,
    undo: () => step('past', 'future'),
    redo: () => step('future', 'past'),
    save,
  };
}
