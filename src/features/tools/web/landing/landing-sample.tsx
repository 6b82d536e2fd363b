import { type ReactNode, useId } from 'react';
import { m } from '#messages';

interface LandingSampleProps {
  input?: { label: string; text: ReactNode };
  facts: string;
  children: ReactNode;
}

export function LandingSample({ input, facts, children }: LandingSampleProps) {
  const id = useId();
  return (
    <section
      className="grid min-w-0 content-start gap-5 border-t border-line bg-surface px-4 py-5 max-lg:rounded-b-lg lg:col-start-3 lg:row-span-full lg:row-start-1 lg:rounded-e-lg lg:border-s lg:border-t-0 lg:px-8"
      aria-labelledby={id}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-fg-muted">
        <h2
          className="rounded-full border border-line-strong px-2.5 py-px text-xs font-semibold text-fg"
          id={id}
        >
          {m.common_sample()}
        </h2>
        <p>{facts}</p>
      </div>
      {input ? (
        <p className="rounded-md bg-sunken px-4 py-3 text-sm">
          <b className="font-semibold">{input.label}</b> {input.text}
        </p>
      ) : null}
      {children}
    </section>
  );
}
