import { FileUp } from 'lucide-react';
import { type DragEvent, lazy, Suspense, useId, useRef, useState } from 'react';
import { m } from '#messages';
import { formatBytes } from '#shared/format-bytes.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { documentLimits } from '../../contract.ts';
import { PasswordForm } from './password-form.tsx';
import type { UploadProgress } from './send-document.ts';
import type { useUpload } from './use-upload.ts';

const LocalThumbnail = lazy(async () => ({
  default: (await import('../viewer/thumbnail.tsx')).LocalThumbnail,
}));

const boxClass = 'grid justify-items-start gap-3 rounded-md border border-line-strong bg-surface p-4';

interface DropZoneProps {
  control: ReturnType<typeof useUpload>;
  blocker: { text: string; label: string; action: () => void } | null;
  onLocked: (() => void) | null;
}

function describeProgress(progress: UploadProgress | null, blocker: DropZoneProps['blocker']): string {
  if (progress === null) return blocker?.text ?? m.common_uploading();
  if (progress.step === 'sending') {
    const share = progress.of > 0 ? Math.floor((progress.sent / progress.of) * 100) / 100 : 0;
    return m.pdfs_uploading_share({ share });
  }
  return progress.of === null || progress.page === 0
    ? m.pdfs_reading()
    : m.pdfs_reading_page({ page: progress.page, of: progress.of });
}

function ProgressBar({ progress, label }: { progress: UploadProgress | null; label: string }) {
  if (progress === null) return null;
  const [value, max] =
    progress.step === 'sending' ? [progress.sent, progress.of] : [progress.page, progress.of ?? 0];
  return (
    <progress
      className="meter"
      aria-label={label}
      value={max > 0 ? value : undefined}
      max={max > 0 ? max : undefined}
    />
  );
}

export function DropZone({
  control: { upload, failure, choose, unlock, cancel },
  blocker,
  onLocked,
}: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const [dragOver, setDragOver] = useState(false);
  const id = useId();
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setDragOver(false);
    const file = event.dataTransfer.files[0];
    if (file && !upload) choose(file);
  };
  if (upload) {
    const status = upload.locked ? m.pdfs_protected() : describeProgress(upload.progress, blocker);
    return (
      <section className={boxClass} aria-label={m.pdfs_upload()}>
        <div className="flex w-full min-w-0 items-start gap-3">
          <Suspense fallback={<span className="pdf-thumb skeleton" />}>
            <LocalThumbnail file={upload.file} />
          </Suspense>
          <div className="grid min-w-0 grow gap-2">
            <p className="text-sm font-semibold wrap-anywhere">{upload.file.name}</p>
            <p className="fine">
              {formatBytes(upload.file.size)} · <span role="status">{status}</span>
            </p>
            <ProgressBar progress={upload.progress} label={m.pdfs_upload()} />
          </div>
        </div>
        {upload.locked ? <PasswordForm {...upload.locked} onPassword={unlock} /> : null}
        <div className="row">
          {upload.progress === null && blocker && !upload.locked ? (
            <Button variant="primary" onClick={blocker.action}>
              {blocker.label}
            </Button>
          ) : null}
          <Button onClick={cancel}>{m.common_cancel()}</Button>
        </div>
      </section>
    );
  }
  return (
    <section
      className={`${boxClass} border-dashed data-over:border-solid data-over:bg-mark-soft`}
      aria-label={m.pdfs_upload()}
      data-over={dragOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setDragOver(true);
      }}
      onDragLeave={() => setDragOver(false)}
      onDrop={onDrop}
    >
      <p className="text-lg font-semibold">{m.pdfs_drop()}</p>
      <p className="fine" id={`${id}-limits`}>
        {m.pdfs_limits({ count: documentLimits.pages })}
      </p>
      <Button
        aria-describedby={`${id}-limits`}
        onClick={() => (onLocked ? onLocked() : input.current?.click())}
      >
        <FileUp size={16} strokeWidth={1.75} aria-hidden="true" />
        {m.pdfs_choose()}
      </Button>
      <input
        ref={input}
        type="file"
        className="visually-hidden"
        tabIndex={-1}
        aria-label={m.pdfs_file()}
        accept="application/pdf,.pdf"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          currentTarget.value = '';
          if (file) choose(file);
        }}
      />
      {failure ? (
        <Notice kind="danger" className="w-full">
          {failure}
        </Notice>
      ) : null}
    </section>
  );
}
