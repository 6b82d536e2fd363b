import type { ReactNode } from 'react';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';

interface LockedToolProps {
  tool: string;
  points: readonly string[];
  onUpgrade: () => void;
  children?: ReactNode;
}

export function LockedTool({ tool, points, onUpgrade, children }: LockedToolProps) {
  return (
    <section
      className="locked grid gap-4 justify-items-start w-full py-5 px-6 border rounded-md bg-surface border-line-strong"
      aria-label={m.pricing_part_of_pro()}
    >
      <h2 className="h3">{m.upgrade_locked({ tool })}</h2>
      <ul className="tick-list">
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      {children}
      <Button variant="mark" size="lg" onClick={onUpgrade}>
        {m.upgrade_go_pro()}
      </Button>
    </section>
  );
}
