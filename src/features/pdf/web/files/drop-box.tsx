import { FileUp } from 'lucide-react';
import { type DragEvent, lazy, type ReactNode, Suspense, useId, useRef, useState } from 'react';
import { PasswordForm } from './password-form.tsx';
import { sizeInWords } from './size.ts';
import type { UploadProgress } from './upload.ts';
import type { useUpload } from './use-upload.ts';

const LocalThumbnail = lazy(() => import('../viewer/local-thumbnail.tsx'));

interface DropBoxProps {
  control: ReturnType<typeof useUpload>;
  /** What a chosen file waits for, and the button that helps; null where it is sent at once. */
  waits: { text: string; label: string; act: () => void } | null;
  /** Comes before the window of files: for a person whose plan does not have the tool. */
  onLocked: (() => void) | null;
  /** Stands beside the button that chooses. */
  children: ReactNode;
}

function wordsOf(progress: UploadProgress | null, waits: DropBoxProps['waits']): string {
  if (progress === null) return waits?.text ?? 'Uploading';
  if (progress.step === 'sending') {
    const share = progress.of > 0 ? Math.floor((progress.sent / progress.of) * 100) : 0;
    return `Uploading: ${share}%`;
  }
  return progress.of === null || progress.page === 0
    ? 'Reading the file'
    : `Reading page ${progress.page} of ${progress.of}`;
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

/** Where a PDF is dropped or chosen, and how far it is. */
export function DropBox({
  control: { upload, failure, choose, unlock, cancel },
  waits,
  onLocked,
  children,
}: DropBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const id = useId();
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file && !upload) choose(file);
  };
  if (upload) {
    const words = upload.locked ? 'Protected by a password' : wordsOf(upload.progress, waits);
    return (
      <section className="pdf-drop pdf-drop-busy" aria-label="Upload">
        <Suspense fallback={<span className="pdf-thumb skeleton" />}>
          <LocalThumbnail file={upload.file} />
        </Suspense>
        <div className="pdf-drop-file">
          <p className="pdf-name">{upload.file.name}</p>
          <p className="muted text-sm">
            {sizeInWords(upload.file.size)} · <span role="status">{words}</span>
          </p>
          <ProgressBar progress={upload.progress} label={words.replace(/[\d%]+.*/, '').trim()} />
          {upload.locked ? <PasswordForm {...upload.locked} onPassword={unlock} /> : null}
          <div className="row">
            {upload.progress === null && waits && !upload.locked ? (
              <button type="button" className="btn btn-primary" onClick={waits.act}>
                {waits.label}
              </button>
            ) : null}
            <button type="button" className="btn btn-secondary" onClick={cancel}>
              Cancel
            </button>
          </div>
        </div>
      </section>
    );
  }
  return (
    <section
      className="pdf-drop"
      aria-label="Upload"
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <p className="pdf-drop-title">Drop a PDF here</p>
      <p className="muted text-sm" id={`${id}-limits`}>
        One PDF of up to 10 MB with a text layer. The first 300 pages are read.
      </p>
      <div className="row">
        <button
          type="button"
          className="btn btn-primary"
          aria-describedby={`${id}-limits`}
          onClick={() => (onLocked ? onLocked() : input.current?.click())}
        >
          <FileUp size={16} strokeWidth={1.75} aria-hidden="true" />
          Choose a PDF
        </button>
        {children}
      </div>
      <input
        ref={input}
        type="file"
        className="visually-hidden"
        tabIndex={-1}
        aria-label="PDF file"
        accept="application/pdf,.pdf"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          currentTarget.value = '';
          if (file) choose(file);
        }}
      />
      {failure ? (
        <p className="notice notice-danger" role="alert">
          {failure}
        </p>
      ) : null}
    </section>
  );
}
