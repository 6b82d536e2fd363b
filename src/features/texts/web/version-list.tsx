import { useId } from 'react';
import { m } from '#messages';
import { formatTextLength } from '#shared/text-length.ts';
import { Button } from '#ui/button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import type { VersionKind, VersionRow } from '../contract.ts';

const names: Record<VersionKind, () => string> = {
  generated: m.texts_version_written,
  edited: m.texts_version_edited,
  refined: m.texts_version_refined,
  restored: m.texts_version_restored,
};

const states: Partial<Record<VersionRow['state'], () => string>> = {
  queued: m.texts_list_writing,
  running: m.texts_list_writing,
  stopped: m.texts_version_stopped,
  failed: m.texts_version_failed,
  interrupted: m.texts_version_interrupted,
};

const time = { dateStyle: 'medium', timeStyle: 'short' } as const;

interface VersionListProps {
  /** Newest first. */
  versions: VersionRow[];
  shown: string;
  describeSettings: (version: VersionRow) => string;
  onShow: (version: VersionRow) => void;
  onRestore: (version: VersionRow) => void;
}

export function VersionList({ versions, shown, describeSettings, onShow, onRestore }: VersionListProps) {
  const id = useId();
  return (
    <section className="grid gap-2" aria-labelledby={id}>
      <h2 className="h3" id={id}>
        {m.texts_versions()}
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by the keyboard */}
      <ul className="max-h-96 overflow-y-auto border-t border-line" tabIndex={0} aria-labelledby={id}>
        {versions.map((version, at) => {
          const { kind, savedAt, state, words } = version;
          const facts = [states[state]?.() ?? formatTextLength(version), describeSettings(version)].filter(
            Boolean,
          );
          return (
            <li
              key={version.id}
              className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line py-2 text-sm"
            >
              <button
                type="button"
                className="min-w-0 flex-[1_1_10rem] text-start aria-[current=true]:font-semibold pointer-coarse:min-h-11"
                aria-current={version.id === shown ? 'true' : undefined}
                onClick={() => onShow(version)}
              >
                {versions.length - at}. {names[kind]()}
                <span className="muted block text-xs">
                  <LocalTime iso={savedAt} format={time} /> · {facts.join(' · ')}
                </span>
              </button>
              {at === 0 || words === 0 ? null : (
                <Button variant="ghost" onClick={() => onRestore(version)}>
                  {m.common_restore()}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
