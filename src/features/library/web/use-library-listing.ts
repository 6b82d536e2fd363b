import { type MouseEvent, useState } from 'react';
import { useRevalidator } from 'react-router';
import { request } from '#client/api-request.ts';
import { showError } from '#client/show-error.ts';
import { useLoadedState } from '#client/use-loaded-state.ts';
import { formatQuery, type LibraryItem, type LibraryPage, type LibraryQuery, type Tag } from '../contract.ts';

type Listing = LibraryPage & { query: LibraryQuery; tags: Tag[] };
export type ProjectOfItem = Pick<LibraryItem, 'projectId' | 'projectName'>;

const updateItems = (items: LibraryItem[], update: (item: LibraryItem) => Partial<LibraryItem> | undefined) =>
  items.map((item) => ({ ...item, ...update(item) }));

/** The loader's data, plus pages loaded later, minus items deleted since. */
export function useLibraryListing(data: Listing) {
  const [loaded, setLoaded] = useLoadedState(data);
  const [deleted, setDeleted] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const { revalidate } = useRevalidator();
  const { next, query, tags } = loaded;
  const items = loaded.items.filter(({ id }) => !deleted.has(id));
  const loadMore = async (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      const page = await request<LibraryPage>(`/api/library${formatQuery({ ...query, after: next })}`);
      setLoaded((previous) =>
        previous === loaded ? { ...previous, ...page, items: [...previous.items, ...page.items] } : previous,
      );
    } catch (failure) {
      showError(failure);
    }
    setBusy(false);
  };
  const onDeleted = (ids: string[]) => {
    setDeleted((previous) => new Set([...previous, ...ids]));
    const isEmpty = next !== null && items.every(({ id }) => ids.includes(id));
    // Deleting a chat deletes its files.
    const deletesFiles = items.some(
      ({ kind, path }) => kind === 'file' && ids.some((id) => path.includes(id)),
    );
    if (isEmpty || deletesFiles) void revalidate();
  };
  const onRestored = (ids: string[]) => {
    setDeleted((previous) => new Set([...previous].filter((id) => !ids.includes(id))));
    // The listing may have changed meanwhile.
    void revalidate();
  };
  const onMoved = (projects: ReadonlyMap<string, ProjectOfItem>) =>
    setLoaded((previous) => ({
      ...previous,
      items: updateItems(previous.items, ({ id }) => {
        const project = projects.get(id);
        return project && { projectId: project.projectId, projectName: project.projectName };
      }),
    }));
  /** `allTags` are all tags that exist now. */
  const onTagged = (tagsOf: ReadonlyMap<string, Tag[]>, allTags: Tag[]) =>
    setLoaded((previous) => ({
      ...previous,
      tags: allTags,
      items: updateItems(previous.items, ({ id }) => {
        const own = tagsOf.get(id);
        return own && { tags: own };
      }),
    }));
  return { items, tags, next, busy, loadMore, onDeleted, onRestored, onMoved, onTagged };
}
