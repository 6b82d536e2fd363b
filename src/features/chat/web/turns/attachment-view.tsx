import { FileText } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Attachment } from '../../attachments/contract.ts';

const PictureViewer = lazy(() => import('./picture-viewer.tsx'));

/** Longest sides of the small picture, in pixels. */
const small = { width: 240, height: 192 };

/** Address of a file of ours. */
const addressOf = ({ id }: Attachment) => `/api/files/${id}`;

/** Size of the small picture; it is known before the picture comes, so that nothing moves. */
function smallSize({ width, height }: Attachment): { width: number; height: number } {
  if (!width || !height) return small;
  const scale = Math.min(1, small.width / width, small.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

function Picture({ file }: { file: Attachment }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="turn-picture"
        aria-label={`Open ${file.name}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <img src={addressOf(file)} alt="" {...smallSize(file)} loading="lazy" decoding="async" />
      </button>
      {open ? (
        <Suspense>
          <PictureViewer file={file} address={addressOf(file)} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

function pagesOf({ pages, pagesRead }: Attachment): string {
  if (pages === null) return 'PDF';
  const all = pages === 1 ? '1 page' : `${pages} pages`;
  return pagesRead === null || pagesRead === pages ? `PDF, ${all}` : `PDF, ${pagesRead} of ${all} read`;
}

/** A file that was sent with a question. */
export function AttachmentView({ file }: { file: Attachment }) {
  return (
    <div className="turn-file">
      {file.kind === 'image' ? (
        <Picture file={file} />
      ) : (
        <a className="turn-document" href={addressOf(file)} target="_blank" rel="noopener">
          <FileText size={20} strokeWidth={1.75} aria-hidden="true" />
          <span>
            <span className="turn-file-name">{file.name}</span>
            <span className="turn-file-facts">{pagesOf(file)}</span>
          </span>
        </a>
      )}
      {file.note === null ? null : <p className="turn-file-note">{file.note}</p>}
    </div>
  );
}
