import { type RefObject, useState } from 'react';
import type { Me } from '#features/accounts/contract.ts';
import { featureTable } from '#features/credits/contract.ts';
import { priceLabel } from '#features/credits/web/price-label.ts';
import { RadioField } from '#features/tools/web/radio-field.tsx';
import { ToolForm } from '#features/tools/web/tool-form.tsx';
import { m } from '#messages';
import { Field } from '#ui/field.tsx';
import { type ImageSize, imageLimits, imageSizes } from '../contract.ts';

export interface ImageRequest {
  prompt: string;
  size: ImageSize;
  count: number;
}

const COUNTER_FROM = imageLimits.prompt - 500;

const segments = {
  list: 'grid auto-cols-fr grid-flow-col divide-x divide-line rounded-md border border-line-strong bg-surface',
  option:
    'relative grid min-h-11 cursor-pointer content-center justify-items-center px-1 py-2 text-center text-sm font-semibold first:rounded-s-md last:rounded-e-md hover:bg-sunken has-checked:inset-ring-2 has-checked:inset-ring-fg has-focus-visible:z-1 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring forced-colors:has-checked:outline-3 forced-colors:has-checked:-outline-offset-3',
  input: 'absolute inset-0 m-0 size-full cursor-pointer opacity-0',
};

const sizes = () =>
  imageSizes.map(({ value, label, description, width, height }) => ({
    value,
    content: (
      <>
        <span className="mb-2 grid h-12 place-items-end" aria-hidden="true">
          {/* About 21 pixels of the image per pixel on the screen. */}
          <svg width={width / 21.3} height={height / 21.3} className="border border-line-strong bg-sunken" />
        </span>
        <span>{label}</span>
        <span className="fine font-normal">{description()}</span>
      </>
    ),
  }));

const counts = Array.from({ length: imageLimits.count }, (_, index) => ({
  value: index + 1,
  content: index + 1,
}));

const strong = (text: string) => <strong>{text}</strong>;

function PromptTips({ open }: { open: boolean }) {
  return (
    <details className="[&_strong]:font-semibold [&_strong]:text-fg" open={open}>
      <summary className="cursor-pointer py-1 text-sm font-semibold pointer-coarse:py-3">
        {m.images_tips()}
      </summary>
      <ul className="mt-2 grid gap-1.5 text-sm text-fg-muted">
        {[m.images_tip_subject, m.images_tip_style, m.images_tip_distance].map((tip, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is constant
          <li key={at}>{tip({ strong })}</li>
        ))}
      </ul>
    </details>
  );
}

interface ImageFormProps {
  me: Me | null;
  imageRequest: ImageRequest;
  onChange: (changed: Partial<ImageRequest>) => void;
  onSubmit: () => void;
  onUpgrade: () => void;
  busy: boolean;
  box: RefObject<HTMLTextAreaElement | null>;
}

export function ImageForm({ me, imageRequest, onChange, onSubmit, onUpgrade, busy, box }: ImageFormProps) {
  const [pressed, setPressed] = useState(false);
  const { prompt, size, count } = imageRequest;
  const missing = prompt.trim() === '';
  const submit = () => {
    setPressed(missing);
    if (missing) box.current?.focus();
    else onSubmit();
  };
  return (
    <ToolForm
      label={m.images_form()}
      me={me}
      price={m.images_price({ count: featureTable.image.price })}
      onUpgrade={onUpgrade}
      onSubmit={submit}
      run={{ label: priceLabel(m.tools_generate(), me, 'image', count), phase: busy ? 'starting' : 'idle' }}
    >
      <Field
        label={m.common_prompt()}
        error={pressed && missing ? m.images_empty_prompt() : null}
        {...(prompt.length > COUNTER_FROM
          ? { counter: { length: prompt.length, max: imageLimits.prompt } }
          : {})}
      >
        {(control) => (
          <textarea
            {...control}
            ref={box}
            className="textarea"
            name="prompt"
            dir="auto"
            rows={5}
            maxLength={imageLimits.prompt}
            placeholder={m.images_prompt_placeholder()}
            value={prompt}
            onChange={(event) => onChange({ prompt: event.target.value })}
          />
        )}
      </Field>
      <RadioField
        legend={m.images_size()}
        name="size"
        options={sizes()}
        value={size}
        onChange={(chosen) => onChange({ size: chosen })}
        classes={segments}
      />
      <RadioField
        legend={m.images_count()}
        name="count"
        options={counts}
        value={count}
        onChange={(chosen) => onChange({ count: chosen })}
        classes={segments}
      />
      <PromptTips open={me !== null} />
    </ToolForm>
  );
}
