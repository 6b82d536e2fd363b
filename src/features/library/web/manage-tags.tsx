import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type Mutation, useMutation } from '#client/use-mutation.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Field } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import type { Tag } from '../contract.ts';
import { tagLimits } from '../tags/tags-contract.ts';
import { deleteTag, renameTag } from './tag-requests.ts';

const LIST = 'tags-managed';

interface RowProps extends Pick<Mutation, 'busy' | 'change'> {
  tag: Tag;
  onRenamed: (tag: Tag) => void;
  onDeleted: () => void;
}

interface PartProps extends RowProps {
  onEnd: () => void;
}

function Rename({ tag, busy, change, onRenamed, onEnd }: PartProps) {
  const [name, setName] = useState(tag.name);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '' || name.trim() === tag.name) return;
    void change({
      key: tag.id,
      work: () => renameTag(tag.id, name),
      apply(renamed) {
        onEnd();
        onRenamed(renamed);
      },
      done: m.tag_renamed(),
    });
  };
  return (
    <form className="grid gap-3" onSubmit={save} noValidate>
      <Field label={m.common_name()}>
        {(control) => (
          <input
            {...control}
            className="input"
            dir="auto"
            autoComplete="off"
            // biome-ignore lint/a11y/noAutofocus: it replaces the button that had the focus
            autoFocus
            maxLength={tagLimits.name * 2}
            value={name}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" aria-busy={busy === tag.id} disabled={name.trim() === ''}>
          {m.common_save()}
        </Button>
        <Button variant="ghost" onClick={onEnd}>
          {m.common_cancel()}
        </Button>
      </div>
    </form>
  );
}

function Delete({ tag, busy, change, onDeleted, onEnd }: PartProps) {
  const remove = () =>
    void change({
      key: tag.id,
      work: () => deleteTag(tag.id),
      apply: onDeleted,
      done: m.tag_deleted({ name: tag.name }),
    });
  return (
    <div className="grid gap-3">
      <p id={`tag-sure-${tag.id}`} className="text-sm wrap-anywhere">
        {m.tag_delete_sure({ name: tag.name })}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button
          variant="danger"
          autoFocus
          aria-describedby={`tag-sure-${tag.id}`}
          aria-busy={busy === tag.id}
          onClick={remove}
        >
          {m.tag_delete()}
        </Button>
        <Button variant="ghost" onClick={onEnd}>
          {m.common_cancel()}
        </Button>
      </div>
    </div>
  );
}

function TagRow(props: RowProps) {
  const { tag } = props;
  const [part, setPart] = useState<'rename' | 'delete' | null>(null);
  const [name, rename, remove] = ['name', 'rename', 'delete'].map((element) => `tag-${element}-${tag.id}`);
  const lastPart = useRef<'rename' | 'delete' | null>(null);
  useEffect(() => {
    if (part === null && lastPart.current)
      document.getElementById(`tag-${lastPart.current}-${tag.id}`)?.focus();
    lastPart.current = part;
  }, [part, tag.id]);
  const end = () => setPart(null);
  return (
    <li className="border-t border-line py-2 first:border-t-0">
      {part === 'rename' ? (
        <Rename {...props} onEnd={end} />
      ) : part === 'delete' ? (
        <Delete {...props} onEnd={end} />
      ) : (
        <div className="flex flex-wrap items-center gap-x-2">
          <bdi id={name} className="min-w-0 flex-[1_1_8rem] wrap-anywhere">
            {tag.name}
          </bdi>
          <Button
            id={rename}
            variant="ghost"
            aria-labelledby={`${rename} ${name}`}
            onClick={() => setPart('rename')}
          >
            {m.common_rename()}
          </Button>
          <Button
            id={remove}
            variant="ghost"
            aria-labelledby={`${remove} ${name}`}
            onClick={() => setPart('delete')}
          >
            {m.common_delete()}
          </Button>
        </div>
      )}
    </li>
  );
}

interface ManageTagsProps {
  first: Tag[];
  /** `deleted` is the id of a deleted tag; null for other changes. */
  onChanged: (deleted: string | null) => void;
  onClose: () => void;
}

/** Renames and deletes tags, which affects all items that have them. */
export default function ManageTags({ first, onChanged, onClose }: ManageTagsProps) {
  const [tags, setTags] = useState(first);
  const { busy, error, change } = useMutation(LIST);
  return (
    <Dialog title={m.tag_manage()} onClose={onClose}>
      {() => (
        <div className="dialog-body grid gap-4">
          {error ? <Notice kind="danger">{error}</Notice> : null}
          <ul id={LIST} tabIndex={-1} aria-label={m.library_tag_any()}>
            {tags.map((tag) => (
              <TagRow
                key={tag.id}
                {...{ tag, busy, change }}
                onRenamed={(renamed) => {
                  setTags((now) => now.map((each) => (each.id === tag.id ? renamed : each)));
                  onChanged(null);
                }}
                onDeleted={() => {
                  setTags((now) => now.filter(({ id }) => id !== tag.id));
                  onChanged(tag.id);
                }}
              />
            ))}
          </ul>
        </div>
      )}
    </Dialog>
  );
}
