import { type KeyboardEvent, useEffect, useRef } from 'react';
import { isComposing } from '#client/is-composing.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';

interface BlockEditorProps {
  markdown: string;
  name: string;
  onTyping: (markdown: string) => void;
  /** `byKey`: the focus returns to the block. */
  onDone: (markdown: string, byKey: boolean) => void;
  /** Refines the selection, or all of the text if nothing is selected. */
  onRefine: (markdown: string, from: number, to: number) => void;
}

/** Control+Enter, Escape and blur keep the changes; Cancel discards them. */
export function BlockEditor({ markdown, name, onTyping, onDone, onRefine }: BlockEditorProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const ended = useRef(false);
  useEffect(() => {
    const field = box.current;
    field?.focus({ preventScroll: true });
    field?.setSelectionRange(field.value.length, field.value.length);
    grow(field);
  }, []);
  const end = (text: string, byKey: boolean) => {
    if (ended.current) return;
    ended.current = true;
    onDone(text, byKey);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event)) return;
    const done = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (!done && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    end(event.currentTarget.value, true);
  };
  const refine = () => {
    const field = box.current;
    if (!field || ended.current) return;
    ended.current = true;
    const { value, selectionStart: from, selectionEnd: to } = field;
    onRefine(value, from === to ? 0 : from, from === to ? value.length : to);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: leaving the whole editor, not only its field, ends editing
    <div
      className="grid gap-2"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) end(box.current?.value ?? markdown, false);
      }}
    >
      <textarea
        ref={box}
        className="-mt-2 -ml-2 w-full resize-none overflow-hidden rounded-sm border border-line-strong bg-surface p-2 text-fg [font:inherit] focus-visible:-outline-offset-1"
        dir="auto"
        aria-label={m.writer_block_field({ block: name })}
        defaultValue={markdown}
        rows={1}
        onChange={(event) => {
          grow(event.currentTarget);
          onTyping(event.currentTarget.value);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="row font-ui text-sm font-normal">
        <Button onClick={() => end(box.current?.value ?? markdown, true)}>{m.common_done()}</Button>
        <Button variant="ghost" onClick={refine}>
          {m.writer_block_change_selection()}
        </Button>
        <Button variant="ghost" onClick={() => end(markdown, true)}>
          {m.common_cancel()}
        </Button>
        <span className="fine pointer-coarse:hidden">{m.tools_run_key()}</span>
      </div>
    </div>
  );
}

function grow(field: HTMLTextAreaElement | null): void {
  if (!field) return;
  field.style.height = 'auto';
  field.style.height = `${field.scrollHeight + 2}px`;
}
