import { type RefObject, useId } from 'react';
import type { Me } from '../../../accounts/contract.ts';
import { priced } from '../../../credits/web/price.ts';
import type { Refusal } from '../../../credits/web/use-refusal.tsx';
import { type ImageSize, imageLimits } from '../../contract.ts';
import { CountChoice } from './count-choice.tsx';
import { SizeChoice } from './size-choice.tsx';

/** What the form holds. */
export interface ImageWish {
  prompt: string;
  size: ImageSize;
  count: number;
}

interface ImageFormProps {
  me: Me | null;
  wish: ImageWish;
  onChange: (changed: Partial<ImageWish>) => void;
  onSubmit: () => void;
  busy: boolean;
  refusal: Refusal | null;
  box: RefObject<HTMLTextAreaElement | null>;
}

/** From how many characters on the length is told. */
const NEAR = imageLimits.prompt - 500;

/** What is wished for, and what the press costs. */
export function ImageForm({ me, wish, onChange, onSubmit, busy, refusal, box }: ImageFormProps) {
  const id = useId();
  const { prompt, size, count } = wish;
  const said = refusal?.text;
  return (
    <form
      className="image-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <div className="field">
        <label className="label" htmlFor={`${id}-prompt`}>
          Prompt
        </label>
        <textarea
          ref={box}
          className="textarea"
          id={`${id}-prompt`}
          name="prompt"
          rows={6}
          maxLength={imageLimits.prompt}
          placeholder="A tin lighthouse on a pebble beach, low evening sun, watercolour"
          value={prompt}
          aria-invalid={said ? true : undefined}
          aria-describedby={said ? `${id}-said` : `${id}-hint`}
          onChange={(event) => onChange({ prompt: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            onSubmit();
          }}
        />
        {said ? (
          <p className="notice notice-danger" role="alert" id={`${id}-said`}>
            {said}
          </p>
        ) : null}
        <p className={prompt.length > NEAR ? 'hint' : 'hint image-keys'} id={`${id}-hint`}>
          {prompt.length > NEAR
            ? `${prompt.length} of ${imageLimits.prompt} characters`
            : 'Ctrl + Enter generates.'}
        </p>
      </div>
      <SizeChoice value={size} onChange={(chosen) => onChange({ size: chosen })} />
      <CountChoice value={count} onChange={(chosen) => onChange({ count: chosen })} />
      <div className="image-submit">
        <button type="submit" className="btn btn-primary btn-lg" aria-busy={busy || undefined}>
          {priced('Generate', me, 'image', count)}
        </button>
      </div>
    </form>
  );
}
