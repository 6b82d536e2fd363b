import { LocalTime } from '../../../../ui/local-time.tsx';
import { Modal } from '../../../../ui/modal.tsx';
import type { VersionRow, WorkView } from '../../../works/contract.ts';
import { type Length, type TextType, type Tone, toneNames, typeNames, wordRanges } from '../../contract.ts';

const kindNames: Record<VersionRow['kind'], string> = {
  generated: 'Generated',
  edited: 'Edited by hand',
  refined: 'Passage changed',
  restored: 'Restored',
};

const endings: Partial<Record<VersionRow['state'], string>> = {
  stopped: 'stopped',
  failed: 'failed, nothing charged',
  interrupted: 'interrupted, nothing charged',
  queued: 'being written',
  running: 'being written',
};

function askedFor({ settings }: VersionRow): string {
  const { type, tone, length } = settings as { type?: TextType; tone?: Tone; length?: Length };
  if (!type || !tone || !length) return '';
  return [typeNames[type], toneNames[tone], wordRanges[length]?.name].filter(Boolean).join(', ');
}

interface VersionsProps {
  work: WorkView;
  onShow: (versionId: string) => void;
  onRestore: (versionId: string) => void;
  onClose: () => void;
}

/** Everything that the text was on its way: when, for what, how long; nothing is overwritten. */
export default function Versions({ work, onShow, onRestore, onClose }: VersionsProps) {
  const newest = work.versions.find(({ words }) => words > 0)?.id;
  return (
    <Modal title="Versions" className="versions" onClose={onClose}>
      {(close) => (
        <ol className="dialog-body versions-list" reversed>
          {work.versions.map((version) => (
            <li key={version.id} aria-current={version.id === work.version.id ? 'true' : undefined}>
              <div className="versions-facts">
                <p>
                  <strong>{kindNames[version.kind]}</strong>
                  {endings[version.state] ? `, ${endings[version.state]}` : ''}
                  {version.id === work.version.id ? <span className="mark versions-shown">shown</span> : null}
                </p>
                <p className="fine">
                  <LocalTime iso={version.savedAt} />, {version.words} words
                </p>
                <p className="fine">{askedFor(version)}</p>
              </div>
              {version.words > 0 ? (
                <div className="row">
                  <button
                    type="button"
                    className="btn btn-ghost"
                    onClick={() => {
                      close();
                      onShow(version.id);
                    }}
                  >
                    Show
                  </button>
                  {version.id === newest ? null : (
                    <button
                      type="button"
                      className="btn btn-secondary"
                      onClick={() => {
                        close();
                        onRestore(version.id);
                      }}
                    >
                      Restore
                    </button>
                  )}
                </div>
              ) : null}
            </li>
          ))}
        </ol>
      )}
    </Modal>
  );
}
