import { Pencil } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { workLimits } from '../../../works/contract.ts';

interface TitleProps {
  title: string;
  onRename: (title: string) => void;
}

/** The name of a text; Enter and leaving the field keep a new one, Escape and a blank one do not. */
export function Title({ title, onRename }: TitleProps) {
  const [editing, setEditing] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (editing) box.current?.select();
  }, [editing]);
  const end = (keep: boolean, byKey: boolean) => {
    if (!editing) return;
    setEditing(false);
    const next = box.current?.value.trim() ?? '';
    if (keep && next && next !== title) onRename(next);
    if (byKey) requestAnimationFrame(() => button.current?.focus());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const composing = event.nativeEvent.isComposing || event.keyCode === 229;
    if (composing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    end(event.key === 'Enter', true);
  };
  if (editing)
    return (
      <input
        ref={box}
        className="input doc-title-field"
        dir="auto"
        aria-label="Title"
        defaultValue={title}
        maxLength={workLimits.titleLength}
        autoComplete="off"
        onKeyDown={onKeyDown}
        onBlur={() => end(true, false)}
      />
    );
  return (
    <div className="doc-title">
      <h2 className="h3" dir="auto">
        {title}
      </h2>
      <button
        ref={button}
        type="button"
        className="btn btn-ghost btn-icon"
        aria-label="Rename the text"
        title="Rename"
        onClick={() => setEditing(true)}
      >
        <Pencil size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
    </div>
  );
}
