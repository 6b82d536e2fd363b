import { type MouseEvent, useState } from 'react';
import { useRevalidator } from 'react-router';
import { request } from '#client/api-request.ts';
import { showError } from '#client/show-error.ts';
import { useLoadedState } from '#client/use-loaded-state.ts';
import { type LibraryItem, type LibraryPage, type LibraryQuery, searchOf, type Tag } from '../contract.ts';

type Listing = LibraryPage & { query: LibraryQuery; tags: Tag[] };
export type ProjectOfItem = Pick<LibraryItem, 'projectId' | 'projectName'>;

const changed = (items: LibraryItem[], by: (item: LibraryItem) => Partial<LibraryItem> | undefined) =>
  items.map((item) => ({ ...item, ...by(item) }));

/** The loader's data, plus pages loaded later, minus items deleted since. */
export function useLibraryListing(data: Listing) {
  const [loaded, setLoaded] = useLoadedState(data);
  const [deleted, setDeleted] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const { revalidate } = useRevalidator();
  const { next, query, tags } = loaded;
  const items = loaded.items.filter(({ id }) => !deleted.has(id));
  const more = async (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      const page = await request<LibraryPage>(`/api/library${searchOf({ ...query, after: next })}`);
      setLoaded((was) => (was === loaded ? { ...was, ...page, items: [...was.items, ...page.items] } : was));
    } catch (failure) {
      showError(failure);
    }
    setBusy(false);
  };
  const onDeleted = (ids: string[]) => {
    setDeleted((was) => new Set([...was, ...ids]));
    const isEmptied = next !== null && items.every(({ id }) => ids.includes(id));
    // Deleting a chat deletes its files.
    const takesFiles = items.some(({ kind, path }) => kind === 'file' && ids.some((id) => path.includes(id)));
    if (isEmptied || takesFiles) void revalidate();
  };
  const onRestored = (ids: string[]) => {
    setDeleted((was) => new Set([...was].filter((id) => !ids.includes(id))));
    // The listing may have changed meanwhile.
    void revalidate();
  };
  const onMoved = (projects: ReadonlyMap<string, ProjectOfItem>) =>
    setLoaded((was) => ({
      ...was,
      items: changed(was.items, ({ id }) => {
        const project = projects.get(id);
        return project && { projectId: project.projectId, projectName: project.projectName };
      }),
    }));
  /** `known` are all tags that exist now. */
  const onTagged = (tagsOf: ReadonlyMap<string, Tag[]>, known: Tag[]) =>
    setLoaded((was) => ({
      ...was,
      tags: known,
      items: changed(was.items, ({ id }) => {
        const own = tagsOf.get(id);
        return own && { tags: own };
      }),
    }));
  return { items, tags, next, busy, more, onDeleted, onRestored, onMoved, onTagged };
}
