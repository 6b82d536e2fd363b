import { X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { m } from '#messages';
import { formatBytes } from '#shared/format-bytes.ts';
import { sentenceSeparator } from '#shared/join-sentences.ts';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { extensionLabel } from '../../attachments/accepted-files.ts';
import { allocateTextBytes } from '../../attachments/allocate-text-bytes.ts';
import type { Attachment } from '../../contract.ts';
import type { PendingUpload, Progress, Upload } from './attachment-upload.ts';
import { ShortenedNote } from './shortened-note.tsx';

const fileDetails = ({ bytes, pages, width, height }: Attachment): string =>
  [
    formatBytes(bytes),
    pages === null ? null : m.chat_file_pages({ pages }),
    width === null || height === null ? null : `${width} × ${height}`,
  ]
    .filter((fact) => fact !== null)
    .join(' · ');

function Thumb({ src, name }: { src: string | null; name: string }) {
  if (src === null) {
    return (
      <span className="file-thumb" aria-hidden="true">
        {extensionLabel(name)}
      </span>
    );
  }
  return <img className="file-thumb" src={src} alt="" width={44} height={44} />;
}

const stepText = ({ queued, reading }: Progress, isPicture: boolean) => {
  if (queued) return m.chat_file_queued();
  if (!reading) return m.common_uploading();
  return isPicture ? m.chat_file_preparing() : m.chat_file_reading();
};

/** Screen readers do not announce the percentage. */
function UploadLine({ upload, waiting }: { upload: Upload; waiting: boolean }) {
  const progress = useSyncExternalStore(upload.subscribe, upload.snapshot, upload.snapshot);
  const percent = Math.round(progress.fraction * 100);
  return (
    <>
      <span className="text-xs wrap-anywhere text-fg-muted">
        <span role="status">{stepText(progress, upload.preview !== null)}</span>
        {progress.reading || progress.queued
          ? null
          : ` ${m.chat_file_percent({ percent, size: formatBytes(upload.file.size) })}`}
        {waiting ? ` · ${m.chat_file_sends_when_ready()}` : null}
      </span>
      <progress
        className="meter"
        aria-label={m.chat_file_upload({ name: upload.file.name })}
        max={100}
        value={progress.reading || progress.queued ? undefined : percent}
      />
    </>
  );
}

function StoredLine({ attachment, sent }: { attachment: Attachment; sent: number }) {
  return (
    <>
      <span className="text-xs wrap-anywhere text-fg-muted">
        <span role="status">
          <span className="visually-hidden">
            {m.chat_file_attached()}
            {sentenceSeparator()}
          </span>
          {fileDetails(attachment)}
        </span>
      </span>
      {attachment.note === null ? null : (
        <span className="text-xs wrap-anywhere text-fg-muted">{attachment.note}</span>
      )}
      <ShortenedNote file={attachment} sent={sent} className="text-xs wrap-anywhere text-fg-muted" />
    </>
  );
}

interface AttachmentChipProps {
  pending: PendingUpload;
  /** Bytes of its text that are sent, given the other files. */
  sent: number;
  waiting: boolean;
  onRemove: () => void;
  onRetry: () => void;
  onUnfold: (text: string) => void;
}

function FileChip({ pending, sent, waiting, onRemove, onRetry, onUnfold }: AttachmentChipProps) {
  const pasted = pending.phase === 'stored' ? pending.pasted : pending.upload.pasted;
  const stored = pending.phase === 'stored' ? pending.attachment : null;
  const name = pending.phase === 'stored' ? pending.attachment.name : pending.upload.file.name;
  const picture = stored?.kind === 'image' ? `/api/files/${stored.id}` : null;
  const preview = (pending.phase === 'stored' ? pending.preview : pending.upload.preview) ?? picture;
  return (
    <fieldset className="file-chip" aria-label={m.chat_file_label()} data-phase={pending.phase}>
      <Thumb src={preview} name={name} />
      <span className="grid min-w-0 flex-1 gap-0.5">
        <span className="truncate font-semibold" title={name}>
          {name}
        </span>
        {pending.phase === 'sending' ? <UploadLine upload={pending.upload} waiting={waiting} /> : null}
        {pending.phase === 'stored' ? <StoredLine attachment={pending.attachment} sent={sent} /> : null}
        {pending.phase === 'failed' ? (
          <span className="text-xs wrap-anywhere text-danger" role="alert">
            {pending.text}
          </span>
        ) : null}
        {pasted === undefined ? null : (
          <button type="button" className="link justify-self-start text-xs" onClick={() => onUnfold(pasted)}>
            {m.chat_file_unfold()}
          </button>
        )}
      </span>
      {pending.phase === 'failed' ? (
        <Button className="shrink-0" onClick={onRetry}>
          {m.common_retry()}
        </Button>
      ) : null}
      <IconButton
        Icon={X}
        label={pending.phase === 'sending' ? m.chat_file_cancel({ name }) : m.chat_file_remove({ name })}
        className="shrink-0"
        onClick={onRemove}
      />
    </fieldset>
  );
}

interface FileChipsProps {
  pending: readonly PendingUpload[];
  waiting: boolean;
  onRemove: (key: string) => void;
  onRetry: (key: string) => void;
  onUnfold: (key: string, text: string) => void;
}

/** The list scrolls if there are more than three. */
export function FileChips({ pending, waiting, onRemove, onRetry, onUnfold }: FileChipsProps) {
  const stored = pending.flatMap((file) => (file.phase === 'stored' ? file.attachment : []));
  const sentBytes = new Map(allocateTextBytes(stored).map((sent, index) => [stored[index]?.id, sent]));
  return (
    <ul className="max-h-52 min-w-0 grow basis-full overflow-y-auto" aria-label={m.chat_files_label()}>
      {pending.map((file) => (
        <li key={file.key}>
          <FileChip
            pending={file}
            sent={(file.phase === 'stored' && sentBytes.get(file.attachment.id)) || 0}
            waiting={waiting}
            onRemove={() => onRemove(file.key)}
            onRetry={() => onRetry(file.key)}
            onUnfold={(text) => onUnfold(file.key, text)}
          />
        </li>
      ))}
    </ul>
  );
}
