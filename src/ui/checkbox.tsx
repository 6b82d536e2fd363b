import { type ReactNode, useSyncExternalStore } from 'react';

interface CheckboxProps {
  checked: boolean;
  onChange: (on: boolean) => void;
  busy?: boolean;
  children: ReactNode;
}

const subscribe = () => () => undefined;

/** Disabled in the server's markup, because before hydration a click would tick it without any effect. */
export function Checkbox({ checked, onChange, busy = false, children }: CheckboxProps) {
  const isHydrated = useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
  return (
    <label className="flex min-h-(--hit) cursor-pointer items-center gap-2 justify-self-start">
      <input
        className="size-[18px] accent-(--primary)"
        type="checkbox"
        checked={checked}
        disabled={!isHydrated}
        aria-busy={busy || undefined}
        onChange={({ currentTarget }) => {
          if (!busy) onChange(currentTarget.checked);
        }}
      />
      <span>{children}</span>
    </label>
  );
}
