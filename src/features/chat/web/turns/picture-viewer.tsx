import { X } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import type { Attachment } from '../../attachments/contract.ts';

interface ViewerProps {
  file: Attachment;
  address: string;
  onClose: () => void;
}

/** A picture as large as the window allows. */
export default function PictureViewer({ file, address, onClose }: ViewerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => dialog.current?.close();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes a dialog by itself
    <dialog
      ref={dialog}
      className="dialog turn-viewer"
      aria-labelledby={title}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) close();
      }}
    >
      <div className="turn-viewer-head">
        <h2 id={title}>{file.name}</h2>
        <a className="btn btn-ghost" href={address} download={file.name}>
          Download
        </a>
        <button type="button" className="btn btn-ghost btn-icon" aria-label="Close" onClick={close}>
          <X size={20} strokeWidth={1.75} aria-hidden="true" />
        </button>
      </div>
      <img src={address} alt={file.name} width={file.width ?? undefined} height={file.height ?? undefined} />
    </dialog>
  );
}
