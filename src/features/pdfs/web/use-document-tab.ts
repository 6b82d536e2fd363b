import { type RefObject, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { useSearchParams } from 'react-router';

const tabs = ['summary', 'questions', 'keywords', 'ask', 'document'] as const;
type TabId = (typeof tabs)[number];

const WIDE = '(min-width: 80rem)';

function watchWidth(listener: () => void) {
  const media = matchMedia(WIDE);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

interface LeftPlace {
  y: number;
  chip: HTMLElement;
}

/** The tab is a search parameter. In a wide window, the pages are next to the tabs and never a tab. */
export function useDocumentTab(pane: RefObject<HTMLElement | null>) {
  const [params, setParams] = useSearchParams();
  const wide = useSyncExternalStore(
    watchWidth,
    () => matchMedia(WIDE).matches,
    () => true,
  );
  const asked = tabs.find((id) => id === params.get('tab')) ?? 'summary';
  const beside = useRef<TabId>('summary');
  if (asked !== 'document') beside.current = asked;
  const tab = wide ? beside.current : asked;
  const left = useRef(new Map<TabId, LeftPlace>());
  const shows = useRef(false);

  const go = (id: string, replace: boolean) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        next.set('tab', id);
        return next;
      },
      { replace },
    );
  const intoView = () => {
    if (!pane.current) return;
    pane.current.parentElement?.scrollIntoView({ block: 'start' });
    pane.current.querySelector<HTMLElement>('.pdf-sheet')?.focus({ preventScroll: true });
  };

  useLayoutEffect(() => {
    const place = left.current.get(tab);
    if (!place) return;
    left.current.delete(tab);
    scrollTo({ top: place.y, behavior: 'instant' });
    const { activeElement } = document;
    if (activeElement === document.body || pane.current?.contains(activeElement))
      place.chip.focus({ preventScroll: true });
  }, [tab, pane]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the tab opens
  useEffect(() => {
    if (tab !== 'document' || !shows.current) return;
    shows.current = false;
    intoView();
  }, [tab]);

  return {
    tab,
    choose: (id: string) => go(id, true),
    showPages() {
      if (wide) return;
      if (tab === 'document') return intoView();
      left.current.set(tab, { y: scrollY, chip: document.activeElement as HTMLElement });
      shows.current = true;
      go('document', false);
    },
  };
}
