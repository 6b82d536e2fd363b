import { useEffect, useState } from 'react';
import { request } from '#client/api-request.ts';
import { m } from '#messages';
import type { LibraryPage } from '../contract.ts';
import SearchDialog from './search-dialog.tsx';
import type { SearchResult } from './search-result-row.tsx';

const recentShown = 8;
const noResults: SearchResult[] = [];

/** The search dialog on pages without their own list; before typing, it shows recently changed items. */
export default function SearchByKey({ onEnd }: { onEnd: () => void }) {
  const [recent, setRecent] = useState<SearchResult[] | null>(null);
  useEffect(() => {
    request<LibraryPage>('/api/library').then(
      ({ items }) =>
        setRecent(
          items
            .slice(0, recentShown)
            .map(({ id, path, ...item }) => ({ ...item, key: id, to: path, role: null, excerpt: [] })),
        ),
      // The search works without recent items.
      () => undefined,
    );
  }, []);
  return (
    <SearchDialog
      recent={recent ?? noResults}
      recentName={m.dashboard_recent()}
      recentEmptyText={recent ? m.dashboard_recent_none() : ''}
      onEnd={onEnd}
    />
  );
}
