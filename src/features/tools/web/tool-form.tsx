import { Square } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type ReactNode, type Ref, useId } from 'react';
import type { Me } from '#features/accounts/contract.ts';
import { CreditsCard } from '#features/credits/web/credits-card.tsx';
import type { RunPhase } from '#features/generations/web/use-run.ts';
import { m } from '#messages';

export interface ToolFormProps {
  label: string;
  me: Me | null;
  /** null for a tool that credits cannot buy. */
  price: string | null;
  onUpgrade: () => void;
  onSubmit: () => void;
  run: { label: string; blocked?: string | false; hint?: string; phase: RunPhase; onStop?: () => void };
  formRef?: Ref<HTMLFormElement>;
  children: ReactNode;
}

function RunFoot({ run: { label, blocked, hint, phase, onStop } }: Pick<ToolFormProps, 'run'>) {
  const id = useId();
  const busy = phase !== 'idle';
  const stops = busy && onStop !== undefined;
  return (
    <div className="sticky bottom-0 z-(--z-sticky) order-last mt-auto grid gap-1.5 border-t border-line bg-bg px-4 pt-3 pb-[max(var(--s-3),env(safe-area-inset-bottom))] lg:order-none lg:mt-0 lg:col-start-2 lg:row-span-full lg:row-start-1 lg:self-end lg:px-5 print:hidden">
      <button
        type={stops ? 'button' : 'submit'}
        className={`btn btn-lg ${stops ? 'btn-secondary' : 'btn-primary'}`}
        aria-disabled={(!busy && Boolean(blocked)) || phase === 'stopping' || undefined}
        aria-busy={busy && !stops ? true : undefined}
        aria-describedby={id}
        aria-keyshortcuts="Control+Enter"
        // Ignore the second press of a double click.
        onClick={(event) => stops && event.detail < 2 && onStop()}
      >
        {stops ? <Square size={14} strokeWidth={1.75} aria-hidden="true" /> : null}
        {stops ? (phase === 'stopping' ? m.common_stopping() : m.common_stop()) : label}
      </button>
      <p className="fine flex justify-between gap-3">
        <span id={id}>{stops ? null : blocked || hint}</span>
        {busy ? null : <span className="hidden shrink-0 any-pointer-fine:inline">{m.tools_run_key()}</span>}
      </p>
    </div>
  );
}

export function ToolForm({ label, me, price, onUpgrade, onSubmit, run, formRef, children }: ToolFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    submit(event);
  };
  const card = <CreditsCard me={me} price={price} onUpgrade={onUpgrade} />;
  return (
    <form
      ref={formRef}
      className="contents"
      aria-label={label}
      noValidate
      onKeyDown={onKeyDown}
      onSubmit={submit}
    >
      <div className="grid content-start gap-4 px-4 pt-1 pb-5 lg:sticky lg:top-0 lg:col-start-2 lg:row-span-2 lg:row-start-2 lg:max-h-[calc(100dvh-var(--header-h)-10rem)] lg:self-start lg:overflow-y-auto lg:px-5 print:hidden">
        {me ? card : null}
        {children}
      </div>
      <RunFoot run={run} />
      {me ? null : <div className="px-4 pb-5 lg:col-start-2 lg:px-5 print:hidden">{card}</div>}
    </form>
  );
}
