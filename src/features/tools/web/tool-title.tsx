import { Pencil } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { isComposing } from '#client/is-composing.ts';
import { textLimits } from '#features/texts/contract.ts';
import { m } from '#messages';
import { IconButton } from '#ui/icon-button.tsx';

interface ToolTitleProps {
  title: string;
  onRename?: ((title: string) => void) | undefined;
}

/** Enter and blur save a new title; Escape and a blank title do not. */
export function ToolTitle({ title, onRename }: ToolTitleProps) {
  const [editing, setEditing] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (editing) box.current?.select();
  }, [editing]);
  const end = (save: boolean, byKey: boolean) => {
    if (!editing) return;
    setEditing(false);
    const next = box.current?.value.trim() ?? '';
    if (save && next && next !== title) onRename?.(next);
    if (byKey) requestAnimationFrame(() => button.current?.focus());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event) || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    end(event.key === 'Enter', true);
  };
  const heading = (
    <h1
      className={`h2 min-w-0 wrap-anywhere ${onRename ? '' : 'flex-[1_1_12rem]'} ${editing ? 'visually-hidden' : ''}`}
      dir="auto"
    >
      {title}
    </h1>
  );
  if (!onRename) return heading;
  return (
    <div className="flex min-w-0 flex-[1_1_24rem] items-start gap-2">
      {heading}
      {editing ? (
        <input
          ref={box}
          className="input text-xl font-semibold"
          dir="auto"
          aria-label={m.common_title()}
          defaultValue={title}
          maxLength={textLimits.titleLength}
          autoComplete="off"
          onKeyDown={onKeyDown}
          onBlur={() => end(true, false)}
        />
      ) : (
        <IconButton
          ref={button}
          className="flex-none"
          label={m.common_rename()}
          title={m.common_rename()}
          onClick={() => setEditing(true)}
          Icon={Pencil}
        />
      )}
    </div>
  );
}
