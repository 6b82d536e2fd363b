import { useEffect, useId, useRef, useState } from 'react';
import { m } from '#messages';
import { shortened } from '#shared/clean-text.ts';
import { unstyledText } from '#shared/fountain/inline-styles.ts';
import type { Block, PlacedBlock } from '#shared/fountain/screenplay.ts';
import { Button } from '#ui/button.tsx';
import { scriptLimits } from '../../contract.ts';

export interface RewriteFormValues {
  scene: number;
  block: number | null;
  instruction: string;
}

interface RewriteFormProps {
  placed: PlacedBlock[];
  scene: number;
  label: string;
  busy: boolean;
  /** The previous input for this scene, if it led to no proposal. */
  previous: RewriteFormValues | null;
  onSubmit: (values: RewriteFormValues) => void;
  onClose: () => void;
}

function passageName(block: Block): string | null {
  if (block.type === 'action') return unstyledText(block.text.replaceAll('\n', ' '));
  if (block.type !== 'dialogue') return null;
  const speech = block.speech.find(({ type }) => type === 'dialogue')?.text ?? '';
  return `${unstyledText(block.character)}: ${unstyledText(speech.replaceAll('\n', ' '))}`;
}

function listPassages(placed: PlacedBlock[], scene: number): { block: number; name: string }[] {
  let sceneIndex = -1;
  return placed.flatMap(({ block }, index) => {
    if (block.type === 'scene') sceneIndex++;
    const name = sceneIndex === scene ? passageName(block) : null;
    return name ? [{ block: index, name: shortened(name, 60) }] : [];
  });
}

export function RewriteForm({ placed, scene, label, busy, previous, onSubmit, onClose }: RewriteFormProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const part = useRef<HTMLSelectElement>(null);
  const [problem, setProblem] = useState(false);
  useEffect(() => field.current?.focus(), []);
  const submit = () => {
    const instruction = field.current?.value.trim() ?? '';
    setProblem(instruction === '');
    if (instruction === '') return field.current?.focus();
    const block = part.current?.value;
    onSubmit({ scene, block: block ? Number(block) : null, instruction });
  };
  return (
    <form
      className="sp-rewrite"
      aria-label={m.script_rewrite_label()}
      noValidate
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="field">
        <label className="label" htmlFor={`${id}-part`}>
          {m.script_rewrite_part()}
        </label>
        <select id={`${id}-part`} ref={part} className="select" defaultValue={previous?.block ?? ''}>
          <option value="">{m.script_rewrite_whole()}</option>
          {listPassages(placed, scene).map(({ block, name }) => (
            <option key={block} value={block}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label className="label" htmlFor={`${id}-wish`}>
          {m.script_rewrite_how()}
        </label>
        <input
          id={`${id}-wish`}
          ref={field}
          className="input"
          dir="auto"
          defaultValue={previous?.instruction}
          maxLength={scriptLimits.instructionLength}
          placeholder={m.script_rewrite_placeholder()}
          autoComplete="off"
          aria-invalid={problem || undefined}
          aria-describedby={problem ? `${id}-problem` : undefined}
        />
        {problem ? (
          <p className="hint text-danger" id={`${id}-problem`} role="alert">
            {m.texts_no_instruction()}
          </p>
        ) : null}
      </div>
      <div className="row">
        <Button type="submit" variant="primary" aria-busy={busy} disabled={busy}>
          {label}
        </Button>
        <Button variant="ghost" onClick={onClose}>
          {m.common_cancel()}
        </Button>
      </div>
    </form>
  );
}
