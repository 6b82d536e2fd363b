import type { ReactNode } from 'react';
import { m } from '#messages';
import { Field } from '#ui/field.tsx';
import { type ShareDays, shareDays } from '../contract.ts';

export interface ShareOptionValues {
  showName: boolean;
  showPrompts: boolean;
  indexed: boolean;
  /** undefined: as it is. */
  days: ShareDays | undefined;
}

function Check({
  on,
  onTurn,
  children,
}: {
  on: boolean;
  onTurn: (on: boolean) => void;
  children: ReactNode;
}) {
  return (
    <label className="flex min-h-(--hit) cursor-pointer items-center gap-2 justify-self-start">
      <input
        className="size-[18px] accent-(--primary)"
        type="checkbox"
        checked={on}
        onChange={(event) => onTurn(event.currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  );
}

interface ShareOptionsProps extends ShareOptionValues {
  /** That the page shows, whose prompts may stand beside them. */
  images: number;
  /** Says how long the page stays, where it is there. */
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
      <Check on={showName} onTurn={(on) => onChange({ showName: on })}>
        {m.share_show_name()}
      </Check>
      {images > 0 ? (
        <Check on={showPrompts} onTurn={(on) => onChange({ showPrompts: on })}>
          {m.share_show_prompts({ count: images })}
        </Check>
      ) : null}
      <Check on={indexed} onTurn={(on) => onChange({ indexed: on })}>
        {m.share_indexed()}
      </Check>
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
