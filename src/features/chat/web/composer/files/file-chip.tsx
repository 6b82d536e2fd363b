import { X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import type { Attachment } from '../../../attachments/contract.ts';
import type { Held } from './held-files.ts';
import type { Progress, Upload } from './upload.ts';

/** A size in words: 1,024 bytes are a KB. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

const pagesText = (pages: number) => `${pages} page${pages === 1 ? '' : 's'}`;

const factsOf = ({ bytes, pages, width, height }: Attachment): string =>
  [
    sizeText(bytes),
    pages === null ? null : pagesText(pages),
    width === null || height === null ? null : `${width} × ${height}`,
  ]
    .filter((fact) => fact !== null)
    .join(' · ');

/** Small picture of a picture; the word PDF for a document. */
function Thumb({ src }: { src: string | null }) {
  if (src === null) {
    return (
      <span className="file-thumb" aria-hidden="true">
        PDF
      </span>
    );
  }
  return <img className="file-thumb" src={src} alt="" width={44} height={44} />;
}

const stepText = ({ reading }: Progress, isPicture: boolean) => {
  if (!reading) return 'Uploading…';
  return isPicture ? 'Preparing the picture…' : 'Reading the document…';
};

/** How far an upload is; the share of the bytes is for the eye and for whoever asks, not called out. */
function UploadLine({ upload, waiting }: { upload: Upload; waiting: boolean }) {
  const progress = useSyncExternalStore(upload.subscribe, upload.snapshot, upload.snapshot);
  const percent = Math.round(progress.share * 100);
  return (
    <>
      <span className="file-facts">
        <span role="status">{stepText(progress, upload.preview !== null)}</span>
        {progress.reading ? null : ` ${percent} % of ${sizeText(upload.file.size)}`}
        {waiting ? ' · sends when it is ready' : null}
      </span>
      <progress
        className="meter"
        aria-label={`Upload of ${upload.file.name}`}
        max={100}
        value={progress.reading ? undefined : percent}
      />
    </>
  );
}

function StoredLine({ attachment }: { attachment: Attachment }) {
  return (
    <>
      <span className="file-facts">
        <span role="status">
          <span className="visually-hidden">Attached. </span>
          {factsOf(attachment)}
        </span>
      </span>
      {attachment.note === null ? null : <span className="file-facts">{attachment.note}</span>}
    </>
  );
}

interface FileChipProps {
  held: Held;
  /** The message is sent as soon as the file is ready. */
  waiting: boolean;
  onRemove: () => void;
  onRetry: () => void;
}

/** The attached file: what it is, how far it is, and the button that takes it out. */
export function FileChip({ held, waiting, onRemove, onRetry }: FileChipProps) {
  const stored = held.phase === 'stored' ? held.attachment : null;
  const name = held.phase === 'stored' ? held.attachment.name : held.upload.file.name;
  const picture = stored?.kind === 'image' ? `/api/files/${stored.id}` : null;
  const preview = (held.phase === 'stored' ? held.preview : held.upload.preview) ?? picture;
  return (
    <fieldset className="file-chip" aria-label="Attached file" data-phase={held.phase}>
      <Thumb src={preview} />
      <span className="file-text">
        <span className="file-name" title={name}>
          {name}
        </span>
        {held.phase === 'sending' ? <UploadLine upload={held.upload} waiting={waiting} /> : null}
        {held.phase === 'stored' ? <StoredLine attachment={held.attachment} /> : null}
        {held.phase === 'failed' ? (
          <span className="file-facts file-failed" role="alert">
            {held.text}
          </span>
        ) : null}
      </span>
      {held.phase === 'failed' ? (
        <button type="button" className="btn btn-secondary" onClick={onRetry}>
          Retry
        </button>
      ) : null}
      <button
        type="button"
        className="btn btn-ghost btn-icon"
        aria-label={held.phase === 'sending' ? `Cancel the upload of ${name}` : `Remove ${name}`}
        onClick={onRemove}
      >
        <X size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
    </fieldset>
  );
}
