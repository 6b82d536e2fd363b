import { X } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { useDialogEnd } from '#ui/dialog.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import type { Attachment } from '../../contract.ts';

interface ViewerProps {
  file: Attachment;
  address: string;
  onClose: () => void;
}

export default function ImageViewer({ file, address, onClose }: ViewerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const { close, onEnd } = useDialogEnd(dialog, onClose);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes a dialog on Esc
    <dialog
      ref={dialog}
      className="dialog turn-viewer overflow-hidden"
      aria-labelledby={title}
      onCancel={onEnd}
      onClose={onEnd}
      onClick={(event) => {
        if (event.target === event.currentTarget) close();
      }}
    >
      <div className="flex items-center gap-1 border-b border-line py-1 ps-4 pe-1">
        <h2 className="min-w-0 flex-1 truncate text-sm font-semibold" id={title}>
          {file.name}
        </h2>
        <Button variant="ghost" href={address} download={file.name}>
          {m.common_download()}
        </Button>
        <IconButton Icon={X} iconSize={20} label={m.common_close()} onClick={close} />
      </div>
      <img
        className="m-auto min-h-0 w-auto object-contain"
        src={address}
        alt={file.name}
        width={file.width ?? undefined}
        height={file.height ?? undefined}
      />
    </dialog>
  );
}
