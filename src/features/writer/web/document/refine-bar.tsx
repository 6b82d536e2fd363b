import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { type EditAction, type Tone, toneNames, tones, writerLimits } from '../../contract.ts';

export interface RephraseRequest {
  action: EditAction;
  tone?: Tone;
  instruction?: string;
}

interface RefineBarProps {
  price: string | null;
  onRequest: (request: RephraseRequest) => void;
  /** `restoreFocus`: the focus returns to the block. */
  onClose: (restoreFocus: boolean) => void;
}

function CustomInstruction({ onRequest }: Pick<RefineBarProps, 'onRequest'>) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const instruction = field.current?.value.trim() ?? '';
    if (instruction) onRequest({ action: 'custom', instruction });
    else field.current?.focus();
  };
  return (
    <form className="refine-row flex-nowrap gap-2" onSubmit={submit}>
      <input
        ref={field}
        className="input"
        dir="auto"
        aria-label={m.writer_refine_what()}
        placeholder={m.writer_refine_what()}
        maxLength={writerLimits.instruction}
        autoComplete="off"
      />
      <Button type="submit" variant="primary">
        {m.writer_refine_suggest()}
      </Button>
    </form>
  );
}

const directActions: [label: () => string, action: EditAction][] = [
  [m.writer_refine_shorten, 'shorten'],
  [m.writer_refine_expand, 'expand'],
  [m.writer_refine_fix, 'fix'],
];
const sectionActions = [
  [m.writer_refine_tone, 'tone'],
  [m.writer_refine_custom, 'custom'],
] as const;

/** Focuses the bar if it was opened without a selection; otherwise the person may go on selecting. */
function useBar(onClose: RefineBarProps['onClose']) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (getSelection()?.isCollapsed ?? true) bar.current?.querySelector('button')?.focus();
  }, []);
  useEffect(() => {
    const onOutsidePress = (event: PointerEvent) => {
      if (!bar.current?.contains(event.target as Node)) onClose(false);
    };
    document.addEventListener('pointerdown', onOutsidePress);
    return () => document.removeEventListener('pointerdown', onOutsidePress);
  }, [onClose]);
  return bar;
}

export function RefineBar({ price, onRequest, onClose }: RefineBarProps) {
  const [openSection, setOpenSection] = useState<'tone' | 'custom' | null>(null);
  const bar = useBar(onClose);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onClose(true);
  };
  const button = (label: () => string, run: () => void, expanded?: boolean) => (
    <Button key={label()} variant="ghost" aria-expanded={expanded} onClick={run}>
      {label()}
    </Button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex box everywhere
    <div ref={bar} className="refine" role="group" aria-label={m.writer_refine_label()} onKeyDown={onKeyDown}>
      <div className="refine-row">
        {directActions.map(([label, action]) => button(label, () => onRequest({ action })))}
        {sectionActions.map(([label, section]) =>
          button(
            label,
            () => setOpenSection(openSection === section ? null : section),
            openSection === section,
          ),
        )}
        {price ? <span className="fine px-2">{price}</span> : null}
      </div>
      {openSection === 'tone' ? (
        <div className="refine-row">
          {tones.map((tone) => button(toneNames[tone], () => onRequest({ action: 'tone', tone })))}
        </div>
      ) : null}
      {openSection === 'custom' ? <CustomInstruction onRequest={onRequest} /> : null}
    </div>
  );
}
