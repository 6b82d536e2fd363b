import { FileText } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { m } from '#messages';
import { formatBytes } from '#shared/format-bytes.ts';
import { allocateTextBytes } from '../../attachments/allocate-text-bytes.ts';
import type { Attachment } from '../../contract.ts';
import { ShortenedNote } from './shortened-note.tsx';

const PictureViewer = lazy(() => import('./image-viewer.tsx'));

const maxThumbnail = { width: 240, height: 192 };

const fileUrl = ({ id }: Attachment) => `/api/files/${id}`;

/** Computed before the picture loads, so that nothing moves. */
function thumbnailSize({ width, height }: Attachment): { width: number; height: number } {
  if (!width || !height) return maxThumbnail;
  const scale = Math.min(1, maxThumbnail.width / width, maxThumbnail.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

function Picture({ file }: { file: Attachment }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="turn-picture"
        aria-label={m.chat_file_open({ name: file.name })}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <img src={fileUrl(file)} alt="" {...thumbnailSize(file)} loading="lazy" decoding="async" />
      </button>
      {open ? (
        <Suspense>
          <PictureViewer file={file} address={fileUrl(file)} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

function fileDetails({ kind, bytes, pages, pagesRead }: Attachment): string {
  if (kind === 'text') return m.chat_file_text({ size: formatBytes(bytes) });
  if (kind === 'docx') return m.chat_file_docx({ size: formatBytes(bytes) });
  if (kind === 'xlsx') return m.chat_file_xlsx({ size: formatBytes(bytes) });
  if (kind === 'epub') return m.chat_file_epub({ size: formatBytes(bytes) });
  if (pages === null) return m.chat_file_pdf();
  return pagesRead === null || pagesRead === pages
    ? m.chat_file_pdf_pages({ pages })
    : m.chat_file_pdf_pages_read({ pages, read: pagesRead });
}

export function AttachmentViews({ files }: { files: Attachment[] }) {
  const sentBytes = allocateTextBytes(files);
  return (
    <div className="turn-file mb-2 ms-auto flex max-w-4/5 flex-wrap justify-end gap-2">
      {files.map((file, index) => (
        <AttachmentView key={file.id} file={file} sent={sentBytes[index] ?? 0} />
      ))}
    </div>
  );
}

function AttachmentView({ file, sent }: { file: Attachment; sent: number }) {
  return (
    <div className="grid max-w-full grid-cols-[minmax(0,1fr)] justify-items-end gap-1">
      {file.kind === 'image' ? (
        <Picture file={file} />
      ) : (
        <a
          className="flex max-w-full min-h-11 items-center gap-2.5 rounded-md border border-line bg-surface py-2 ps-3 pe-3.5 text-sm hover:border-line-strong"
          href={fileUrl(file)}
          target="_blank"
          rel="noopener"
        >
          <FileText className="shrink-0 text-fg-muted" size={20} strokeWidth={1.75} aria-hidden="true" />
          <span className="min-w-0">
            <span className="block truncate font-semibold">{file.name}</span>
            <span className="block text-xs text-fg-muted">{fileDetails(file)}</span>
          </span>
        </a>
      )}
      {file.note === null ? null : <p className="text-end text-xs text-fg-muted">{file.note}</p>}
      <ShortenedNote file={file} sent={sent} className="text-end text-xs text-fg-muted" />
    </div>
  );
}
