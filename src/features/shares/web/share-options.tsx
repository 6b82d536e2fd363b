import type { ReactNode } from 'react';
import { m } from '#messages';
import { Checkbox } from '#ui/checkbox.tsx';
import { Field } from '#ui/field.tsx';
import { type ShareDays, shareDays } from '../contract.ts';

export interface ShareOptionValues {
  showName: boolean;
  showPrompts: boolean;
  indexed: boolean;
  /** undefined: unchanged. */
  days: ShareDays | undefined;
}

interface ShareOptionsProps extends ShareOptionValues {
  /** Number of images on the page, whose prompts may be shown. */
  images: number;
  /** How long the page stays, if it exists. */
  end: ReactNode;
  onChange: (change: Partial<ShareOptionValues>) => void;
}

const KEEP = 'keep';
const NEVER = 'never';

export function ShareOptions(props: ShareOptionsProps) {
  const { showName, showPrompts, indexed, images, days, end, onChange } = props;
  const choose = (value: string) => {
    if (value !== KEEP) onChange({ days: value === NEVER ? null : (Number(value) as ShareDays) });
  };
  return (
    <div className="grid gap-1">
      <Checkbox checked={showName} onChange={(on) => onChange({ showName: on })}>
        {m.share_show_name()}
      </Checkbox>
      {images > 0 ? (
        <Checkbox checked={showPrompts} onChange={(on) => onChange({ showPrompts: on })}>
          {m.share_show_prompts({ count: images })}
        </Checkbox>
      ) : null}
      <Checkbox checked={indexed} onChange={(on) => onChange({ indexed: on })}>
        {m.share_indexed()}
      </Checkbox>
      <Field label={m.share_end()}>
        {(control) => (
          <select
            {...control}
            className="select justify-self-start"
            value={days === undefined ? KEEP : (days ?? NEVER)}
            onChange={(event) => choose(event.currentTarget.value)}
          >
            {days === undefined ? <option value={KEEP}>{end}</option> : null}
            <option value={NEVER}>{m.share_end_never()}</option>
            {shareDays.map((count) => (
              <option key={count} value={count}>
                {m.share_end_days({ count })}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}
