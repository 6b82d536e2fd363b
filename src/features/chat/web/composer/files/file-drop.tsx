import { type RefObject, useEffect, useState } from 'react';

const carriesFiles = (data: DataTransfer | null) => data?.types.includes('Files') === true;

interface FileDropProps {
  /** An element inside the pane that takes files. */
  inside: RefObject<HTMLElement | null>;
  /** Files come near: what they need may be loaded. */
  onNear: () => void;
  onFiles: (files: File[]) => void;
}

/**
 * Takes files that are dropped or pasted anywhere in the chat's pane, and says meanwhile what is accepted. A file that
 * misses the pane does nothing: the browser would leave the page for it.
 */
export function FileDrop({ inside, onNear, onFiles }: FileDropProps) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const pane = inside.current?.closest('.chat-main');
    const isInside = ({ target }: Event) => target instanceof Node && pane?.contains(target) === true;
    const onDrag = (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      const hit = isInside(event);
      if (event.dataTransfer) event.dataTransfer.dropEffect = hit ? 'copy' : 'none';
      setOver(hit);
      if (hit) onNear();
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
      const elsewhere = !isInside(event) && event.target !== document.body;
      // What office programs copy is a text with a picture of it beside.
      if (!data || data.files.length === 0 || data.types.includes('text/plain') || elsewhere) return;
      event.preventDefault();
      onFiles([...data.files]);
    };
    const undo = new AbortController();
    const { signal } = undo;
    document.addEventListener('dragover', onDrag, { signal });
    document.addEventListener('dragleave', onLeave, { signal });
    document.addEventListener('drop', onDrop, { signal });
    document.addEventListener('paste', onPaste, { signal });
    return () => undo.abort();
  }, [inside, onNear, onFiles]);
  if (!over) return null;
  return (
    <div className="file-drop">
      <p>
        <strong>Drop a file to attach it</strong>
        <span>{acceptedText}</span>
      </p>
    </div>
  );
}

/** What may be attached, in words. */
export const acceptedText = 'JPEG, PNG, WebP or PDF, up to 10 MB';
