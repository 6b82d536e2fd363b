import { Pencil } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { renameWork } from '../../works/web/api.ts';
import { failed } from './failed.ts';

/** The title, which its owner may change. */
export function ScriptTitle({ id, title }: { id: string; title: string }) {
  const [editing, setEditing] = useState(false);
  const [shown, setShown] = useState({ of: title, text: title });
  const button = useRef<HTMLButtonElement>(null);
  if (shown.of !== title) setShown({ of: title, text: title });
  const done = () => {
    setEditing(false);
    requestAnimationFrame(() => button.current?.focus());
  };
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('title')).trim();
    if (text !== '' && text !== shown.text) {
      setShown({ of: title, text });
      renameWork(id, text).then(({ title: kept }) => setShown({ of: title, text: kept }), failed);
    }
    done();
  };
  if (!editing)
    return (
      <div className="sp-title">
        <h2 className="h3" dir="auto">
          {shown.text}
        </h2>
        <button
          ref={button}
          type="button"
          className="btn btn-ghost btn-icon"
          aria-label="Rename the script"
          onClick={() => setEditing(true)}
        >
          <Pencil size={16} strokeWidth={1.75} aria-hidden="true" />
        </button>
      </div>
    );
  return (
    <form
      className="sp-title"
      onSubmit={save}
      onKeyDown={(event) => {
        if (event.key === 'Escape') done();
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: it stands where the button was that opened it
        autoFocus
        name="title"
        className="input"
        dir="auto"
        aria-label="Title of the script"
        defaultValue={shown.text}
        maxLength={120}
        autoComplete="off"
      />
      <button type="submit" className="btn btn-secondary">
        Save
      </button>
    </form>
  );
}
