import { Paperclip } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { openSignIn } from '#client/page-events.ts';
import { m } from '#messages';
import { type Attachment, attachmentLimits } from '../../contract.ts';
import type { AttachmentCode } from './pending-uploads.ts';

const carriesFiles = (data: DataTransfer | null) => data?.types.includes('Files') === true;

interface AttachmentDropZoneProps {
  inside: RefObject<HTMLElement | null>;
  onPrepare: () => void;
  onFiles: (files: File[], text?: string) => void;
  /** Whether a long pasted text becomes a file. */
  takesText: boolean;
}

/** Ignores files dropped outside the pane; otherwise the browser would leave the page to open them. */
export function AttachmentDropZone({ inside, onPrepare, onFiles, takesText }: AttachmentDropZoneProps) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const pane = inside.current?.closest('.chat-main');
    const isInside = ({ target }: Event) => target instanceof Node && pane?.contains(target) === true;
    const onDrag = (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      const isTarget = isInside(event);
      if (event.dataTransfer) event.dataTransfer.dropEffect = isTarget ? 'copy' : 'none';
      setOver(isTarget);
      if (isTarget) onPrepare();
    };
    const onLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      setOver(false);
      if (isInside(event)) onFiles([...(event.dataTransfer?.files ?? [])]);
    };
    const onPaste = (event: ClipboardEvent) => {
      const data = event.clipboardData;
      const isOutside = !isInside(event) && event.target !== document.body;
      const text = data?.getData('text/plain');
      const isLong = takesText && text && text.length >= attachmentLimits.pastedText;
      const isComposer = (event.target as Element).className === 'composer-input';
      // Office programs copy a text together with a picture of it.
      if (!data || isOutside || (text ? !isLong || !isComposer : data.files.length === 0)) return;
      event.preventDefault();
      onFiles([...data.files], text);
    };
    const listening = new AbortController();
    const { signal } = listening;
    document.addEventListener('dragover', onDrag, { signal });
    document.addEventListener('dragleave', onLeave, { signal });
    document.addEventListener('drop', onDrop, { signal });
    document.addEventListener('paste', onPaste, { signal });
    return () => listening.abort();
  }, [inside, onPrepare, onFiles, takesText]);
  if (!over) return null;
  return (
    <div className="file-drop">
      <p>
        <strong className="h3 block">{m.chat_drop()}</strong>
        <span className="mt-2 block text-fg-muted">{m.chat_files_accepted()}</span>
      </p>
    </div>
  );
}

interface AttachButtonProps {
  guest: boolean;
  /** Null until the code for files is loaded. */
  kit: AttachmentCode | null;
  remaining: number;
  onPrepare: () => void;
  onFiles: (files: File[]) => void;
  /** Receives files chosen from the library. */
  onAttach: (files: Attachment[]) => void;
}

export function AttachButton({ guest, kit, remaining, onPrepare, onFiles, onAttach }: AttachButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const [button, setButton] = useState<HTMLElement | null>(null);
  const prepare = guest ? undefined : onPrepare;
  return (
    <>
      <button
        type="button"
        className="grid size-(--hit) shrink-0 place-items-center rounded-full text-fg-muted hover:bg-sunken hover:text-fg"
        aria-label={m.chat_attach()}
        title={m.chat_files_accepted()}
        onPointerEnter={prepare}
        onFocus={prepare}
        aria-haspopup={guest ? 'dialog' : 'menu'}
        onClick={({ currentTarget }) => {
          if (guest) return openSignIn({ next: '/chat/new', reason: m.chat_file_sign_in() });
          onPrepare();
          setButton(currentTarget);
        }}
      >
        <Paperclip size={18} strokeWidth={1.75} aria-hidden="true" />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={kit?.acceptedFiles}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // Allows choosing the same file again.
          currentTarget.value = '';
        }}
      />
      {button && kit ? (
        <kit.AttachMenu
          {...{ button, remaining, onAttach }}
          onUpload={() => input.current?.click()}
          onEnd={() => setButton(null)}
        />
      ) : null}
    </>
  );
}
