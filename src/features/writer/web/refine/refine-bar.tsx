import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type EditAction, type Tone, toneNames, tones, writerLimits } from '../../contract.ts';

/** What is wished for a passage. */
export interface Wish {
  action: EditAction;
  tone?: Tone;
  instruction?: string;
}

interface RefineBarProps {
  price: string | null;
  onWish: (wish: Wish) => void;
  /** `back`: the focus goes back to the block. */
  onClose: (back: boolean) => void;
}

/** What can be wished for the passage that is selected. Escape closes it. */
export function RefineBar({ price, onWish, onClose }: RefineBarProps) {
  const [more, setMore] = useState<'tone' | 'custom' | null>(null);
  const bar = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  // Who selects with the pointer goes on selecting; who came by a key goes on here.
  useEffect(() => {
    if (getSelection()?.isCollapsed ?? true) bar.current?.querySelector('button')?.focus();
  }, []);
  useEffect(() => {
    const beside = (event: PointerEvent) => {
      if (!bar.current?.contains(event.target as Node)) onClose(false);
    };
    document.addEventListener('pointerdown', beside);
    return () => document.removeEventListener('pointerdown', beside);
  }, [onClose]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onClose(true);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const instruction = field.current?.value.trim() ?? '';
    if (instruction) onWish({ action: 'custom', instruction });
    else field.current?.focus();
  };
  const show = (what: 'tone' | 'custom') => {
    setMore(more === what ? null : what);
    if (what === 'custom') requestAnimationFrame(() => field.current?.focus());
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex box everywhere
    <div
      ref={bar}
      className="refine"
      role="group"
      aria-label="Change the selected passage"
      onKeyDown={onKeyDown}
    >
      <div className="refine-row">
        <button type="button" className="btn btn-ghost" onClick={() => onWish({ action: 'shorten' })}>
          Shorten
        </button>
        <button type="button" className="btn btn-ghost" onClick={() => onWish({ action: 'expand' })}>
          Expand
        </button>
        <button type="button" className="btn btn-ghost" onClick={() => onWish({ action: 'fix' })}>
          Fix
        </button>
        <button
          type="button"
          className="btn btn-ghost"
          aria-expanded={more === 'tone'}
          onClick={() => show('tone')}
        >
          Change tone
        </button>
        <button
          type="button"
          className="btn btn-ghost"
          aria-expanded={more === 'custom'}
          onClick={() => show('custom')}
        >
          Custom
        </button>
        {price ? <span className="fine refine-price">{price}</span> : null}
      </div>
      {more === 'tone' ? (
        <div className="refine-row">
          {tones.map((tone) => (
            <button
              key={tone}
              type="button"
              className="btn btn-ghost"
              onClick={() => onWish({ action: 'tone', tone })}
            >
              {toneNames[tone]}
            </button>
          ))}
        </div>
      ) : null}
      {more === 'custom' ? (
        <form className="refine-row refine-custom" onSubmit={submit}>
          <input
            ref={field}
            className="input"
            aria-label="What should change?"
            placeholder="What should change?"
            maxLength={writerLimits.instruction}
            autoComplete="off"
          />
          <button type="submit" className="btn btn-primary">
            Suggest
          </button>
        </form>
      ) : null}
    </div>
  );
}
