import { Plus } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { toast, undoTime } from '#client/page-events.ts';
import { showError } from '#client/show-error.ts';
import { errorText } from '#client/use-mutation.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Field } from '#ui/field.tsx';
import type { LibraryItem, Tag } from '../contract.ts';
import { type TaggingOutcome, tagKey, tagLimits } from '../tags/tags-contract.ts';
import { createTag, fetchTags, tagItems, untagItems } from './tag-requests.ts';

interface TagChoiceProps {
  tag: Tag;
  /** Null if only some of the items have the tag. */
  on: boolean | null;
  onToggle: (on: boolean) => void;
}

function TagChoice({ tag, on, onToggle }: TagChoiceProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = on === null;
  }, [on]);
  return (
    <li>
      <label className="flex min-h-(--hit) cursor-pointer items-center gap-3 rounded-sm px-2 hover:bg-sunken">
        <input
          ref={box}
          className="size-[18px] shrink-0 accent-(--primary)"
          type="checkbox"
          checked={on === true}
          onChange={(event) => onToggle(event.currentTarget.checked)}
        />
        <bdi className="min-w-0 truncate">{tag.name}</bdi>
      </label>
    </li>
  );
}

/**
 * Which tags the person adds to or removes from the items. Tags that were not toggled stay as they are on each item.
 */
function useTagging(items: LibraryItem[], onFailed: (error: unknown) => void) {
  const [tags, setTags] = useState<Tag[] | null>(null);
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  // biome-ignore lint/correctness/useExhaustiveDependencies: fetched once per dialog
  useEffect(() => {
    fetchTags().then(setTags, onFailed);
  }, []);
  const initialState = (id: string): boolean | null => {
    const count = items.filter((item) => item.tags.some((tag) => tag.id === id)).length;
    return count === items.length ? true : count === 0 ? false : null;
  };
  const toggle = (id: string, on: boolean) => setToggled((now) => new Map(now).set(id, on));
  const add = (tag: Tag) => {
    setTags((now) => (now?.some(({ id }) => id === tag.id) ? now : [tag, ...(now ?? [])]));
    toggle(tag.id, true);
  };
  const changes = [...toggled].filter(([id, on]) => initialState(id) !== on);
  const toggledIds = (to: boolean) => changes.filter(([, on]) => on === to).map(([id]) => id);
  const state = (id: string) => toggled.get(id) ?? initialState(id);
  return { tags, state, toggle, add, added: toggledIds(true), removed: toggledIds(false) };
}

/** Returns the tags of each changed item after the outcome. */
function tagsAfter(items: LibraryItem[], { done }: TaggingOutcome, allTags: Tag[]): Map<string, Tag[]> {
  const changes = new Map(done.map((change) => [change.id, change]));
  return new Map(
    items.flatMap(({ id, tags }) => {
      const change = changes.get(id);
      if (!change) return [];
      const ids = new Set([...tags.map((tag) => tag.id), ...change.added]);
      return [[id, allTags.filter((tag) => ids.has(tag.id) && !change.removed.includes(tag.id))]];
    }),
  );
}

interface TagItemsProps {
  items: LibraryItem[];
  onTagged: (tagsOf: ReadonlyMap<string, Tag[]>, allTags: Tag[]) => void;
  onClose: () => void;
}

export default function TagItems({ items, onTagged, onClose }: TagItemsProps) {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const { tags, state, toggle, add, added, removed } = useTagging(items, (failure) => {
    showError(failure);
    onClose();
  });
  const key = tagKey(text.trim());
  const found = (tags ?? []).filter(({ name }) => tagKey(name).includes(key));
  const exactMatch = found.find(({ name }) => tagKey(name) === key);
  const fail = (failure: unknown) => setError(errorText(failure, m.common_connection_lost()));
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy || key === '' || !tags) return;
    setBusy(true);
    setError(null);
    try {
      add(exactMatch ?? (await createTag(text)));
      setText('');
    } catch (failure) {
      fail(failure);
    }
    setBusy(false);
  }
  async function save(close: () => void) {
    if (busy || !tags) return;
    setBusy(true);
    setError(null);
    try {
      const outcome = await tagItems(items, added, removed);
      onTagged(tagsAfter(items, outcome, tags), tags);
      const onUndo = () =>
        void untagItems(items, outcome.done).then(
          () => onTagged(new Map(items.map((item) => [item.id, item.tags])), tags),
          showError,
        );
      const undo = { label: m.common_undo(), run: onUndo };
      const [refusal] = outcome.refused;
      if (outcome.done.length > 0)
        toast({ text: m.tag_updated({ count: outcome.done.length }), action: undo, durationMs: undoTime });
      if (refusal) toast({ title: m.common_error(), text: refusal.error, kind: 'danger' });
      return close();
    } catch (failure) {
      fail(failure);
    }
    setBusy(false);
  }
  return (
    <Dialog title={m.tag_edit()} onClose={onClose}>
      {(close) => (
        <div className="dialog-body grid gap-4" aria-busy={busy || tags === null}>
          <form onSubmit={(event) => void submit(event)} noValidate>
            <Field label={m.tag_find()} error={error}>
              {(control) => (
                <input
                  {...control}
                  className="input"
                  dir="auto"
                  autoComplete="off"
                  enterKeyHint="done"
                  maxLength={tagLimits.name * 2}
                  value={text}
                  onChange={({ currentTarget: { value } }) => setText(value)}
                />
              )}
            </Field>
            {key !== '' && tags && !exactMatch ? (
              <Button type="submit" variant="ghost" className="mt-2 max-w-full">
                <Plus className="shrink-0" size={16} strokeWidth={1.75} aria-hidden="true" />
                <span className="truncate">{m.tag_create({ name: text.trim() })}</span>
              </Button>
            ) : null}
          </form>
          {tags?.length === 0 ? <p className="muted text-sm">{m.tag_none()}</p> : null}
          <ul className="max-h-[40dvh] overflow-y-auto" aria-label={m.library_tag_any()}>
            {found.map((tag) => (
              <TagChoice key={tag.id} tag={tag} on={state(tag.id)} onToggle={(on) => toggle(tag.id, on)} />
            ))}
          </ul>
          <Button
            variant="primary"
            className="justify-self-start"
            disabled={added.length + removed.length === 0}
            aria-busy={busy}
            onClick={() => void save(close)}
          >
            {m.common_save()}
          </Button>
        </div>
      )}
    </Dialog>
  );
}
