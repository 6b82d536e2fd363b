import type { ReactNode } from 'react';
import './locked.css';

interface LockedProps {
  /** The tool as its page names it: 'PDF Analyzer'. */
  tool: string;
  /** What one gets with it. */
  points: readonly string[];
  /** The way to Pro. */
  onUpgrade: () => void;
  children?: ReactNode;
}

/** Says of a tool that it is part of Pro, and what one gets with it. */
export function Locked({ tool, points, onUpgrade, children }: LockedProps) {
  return (
    <section className="locked" aria-label="Part of Pro">
      <h2 className="h3">The {tool} is part of Pro</h2>
      <ul className="tick-list">
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      {children}
      <button type="button" className="btn btn-mark btn-lg" onClick={onUpgrade}>
        Go Pro
      </button>
    </section>
  );
}
