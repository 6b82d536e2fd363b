import { useId } from 'react';
import type { VersionKind, VersionRow } from '../contract.ts';
import { inWords, SavedAt } from './facts.tsx';
import './works.css';

const names: Record<VersionKind, string> = {
  generated: 'Written',
  edited: 'Edited by you',
  refined: 'Passage rewritten',
  restored: 'Restored',
};

const states: Partial<Record<VersionRow['state'], string>> = {
  queued: 'being written',
  running: 'being written',
  stopped: 'stopped',
  failed: 'failed',
  interrupted: 'interrupted',
};

const time = { dateStyle: 'medium', timeStyle: 'short' } as const;

interface VersionListProps {
  /** Newest first. */
  versions: VersionRow[];
  /** The one that is shown. */
  shown: string;
  /** What it was asked for, in a few words. */
  settingsOf: (version: VersionRow) => string;
  onShow: (version: VersionRow) => void;
  onRestore: (version: VersionRow) => void;
}

/** Every version of a work: which one is shown, and the ways to look at and to go back to another. */
export function VersionList({ versions, shown, settingsOf, onShow, onRestore }: VersionListProps) {
  const id = useId();
  return (
    <section className="versions" aria-labelledby={id}>
      <h2 className="h3" id={id}>
        Versions
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by the keyboard */}
      <ul className="versions-rows" tabIndex={0} aria-labelledby={id}>
        {versions.map((version, at) => {
          const { kind, savedAt, state, words } = version;
          const facts = [states[state] ?? inWords(words), settingsOf(version)].filter(Boolean);
          return (
            <li key={version.id} className="version-row">
              <button
                type="button"
                className="version-name"
                aria-current={version.id === shown ? 'true' : undefined}
                onClick={() => onShow(version)}
              >
                {versions.length - at}. {names[kind]}
                <span className="muted block text-xs">
                  <SavedAt iso={savedAt} format={time} /> · {facts.join(' · ')}
                </span>
              </button>
              {at === 0 || words === 0 ? null : (
                <button type="button" className="btn btn-ghost" onClick={() => onRestore(version)}>
                  Restore
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
