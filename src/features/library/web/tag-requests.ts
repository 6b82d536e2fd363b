import { json, request } from '#client/api-request.ts';
import type { LibraryItem, Tag } from '../contract.ts';
import type { TaggingOutcome, TagItems } from '../tags/tags-contract.ts';

export const fetchTags = async () => (await request<{ tags: Tag[] }>('/api/library/tags')).tags;

export const createTag = (name: string) => request<Tag>('/api/library/tags', json('POST', { name }));

export const renameTag = (id: string, name: string) =>
  request<Tag>(`/api/library/tags/${id}`, json('PATCH', { name }));

export const deleteTag = (id: string) => request<void>(`/api/library/tags/${id}`, { method: 'DELETE' });

export function tagItems(items: LibraryItem[], add: string[], remove: string[]): Promise<TaggingOutcome> {
  const body: TagItems = { items: items.map(({ kind, id }) => ({ kind, id })), add, remove };
  return request('/api/library/selection/tags', json('POST', body));
}

/** Undoes a `tagItems` outcome, even if the items had different tags before. */
export async function untagItems(items: LibraryItem[], done: TaggingOutcome['done']): Promise<void> {
  const groups = Map.groupBy(done, ({ added, removed }) => [...added, '', ...removed].join());
  for (const group of groups.values()) {
    const [{ added, removed } = { added: [], removed: [] }] = group;
    const ids = new Set(group.map(({ id }) => id));
    if (added.length + removed.length > 0)
      await tagItems(
        items.filter(({ id }) => ids.has(id)),
        removed,
        added,
      );
  }
}
