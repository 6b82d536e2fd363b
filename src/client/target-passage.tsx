import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import type { Passage } from './show-passage.ts';

/** Parses the fragment that the library creates (`passageFragment`). */
export function readPassage(fragment: string): Passage | null {
  if (!fragment.startsWith('#find=')) return null;
  const parts = new URLSearchParams(fragment.slice(1));
  const page = parts.get('page') ?? '';
  return { words: parts.get('find') ?? '', page: /^[1-9]\d{0,4}$/.test(page) ? Number(page) : null };
}

/** Highlights the words of the search that led here and scrolls to them, until the page is left. */
export function TargetPassage({ box }: { box: RefObject<HTMLElement | null> }) {
  const { pathname, hash } = useLocation();
  const undo = useRef<(() => void) | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page may have the same fragment
  useEffect(() => {
    const passage = readPassage(hash);
    // Choosing a tab removes the fragment from the address.
    if (!passage) return;
    undo.current?.();
    const controller = new AbortController();
    undo.current = () => controller.abort();
    import('./show-passage.ts').then(
      ({ showPassage }) => {
        if (box.current && !controller.signal.aborted) undo.current = showPassage(box.current, passage);
      },
      () => undefined,
    );
  }, [box, pathname, hash]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the path changes
  useEffect(() => () => undo.current?.(), [pathname]);
  return null;
}
