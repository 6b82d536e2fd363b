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

interface SavedPlace {
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
  const requested = tabs.find((id) => id === params.get('tab')) ?? 'summary';
  const lastTab = useRef<TabId>('summary');
  if (requested !== 'document') lastTab.current = requested;
  const tab = wide ? lastTab.current : requested;
  const savedPlaces = useRef(new Map<TabId, SavedPlace>());
  const opening = useRef(false);

  const setTab = (id: string, replace: boolean) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        next.set('tab', id);
        return next;
      },
      { replace },
    );
  const scrollToPages = () => {
    if (!pane.current) return;
    pane.current.parentElement?.scrollIntoView({ block: 'start' });
    pane.current.querySelector<HTMLElement>('.pdf-sheet')?.focus({ preventScroll: true });
  };

  useLayoutEffect(() => {
    const place = savedPlaces.current.get(tab);
    if (!place) return;
    savedPlaces.current.delete(tab);
    scrollTo({ top: place.y, behavior: 'instant' });
    const { activeElement } = document;
    if (activeElement === document.body || pane.current?.contains(activeElement))
      place.chip.focus({ preventScroll: true });
  }, [tab, pane]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the tab opens
  useEffect(() => {
    if (tab !== 'document' || !opening.current) return;
    opening.current = false;
    scrollToPages();
  }, [tab]);

  return {
    tab,
    choose: (id: string) => setTab(id, true),
    showPages() {
      if (wide) return;
      if (tab === 'document') return scrollToPages();
      savedPlaces.current.set(tab, { y: scrollY, chip: document.activeElement as HTMLElement });
      opening.current = true;
      setTab('document', false);
    },
  };
}
