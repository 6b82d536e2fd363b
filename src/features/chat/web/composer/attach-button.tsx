import { Paperclip } from 'lucide-react';
import { useRef } from 'react';
import { attachmentLimits } from '../../attachments/contract.ts';
import { openSignIn } from '../state/sending.ts';
import { acceptedText } from './files/file-drop.tsx';
import { signInToAttach } from './files/use-files.ts';

interface AttachButtonProps {
  guest: boolean;
  /** The button is about to be pressed. */
  onNear: () => void;
  onFiles: (files: File[]) => void;
}

/** Opens the picker; a guest signs in first. */
export function AttachButton({ guest, onNear, onFiles }: AttachButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const near = guest ? undefined : onNear;
  return (
    <>
      <button
        type="button"
        className="composer-attach"
        aria-label="Attach a file"
        title={acceptedText}
        onPointerEnter={near}
        onFocus={near}
        onClick={() => (guest ? openSignIn('/chat/new', signInToAttach) : input.current?.click())}
      >
        <Paperclip size={18} strokeWidth={1.75} aria-hidden="true" />
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept={attachmentLimits.types.join(',')}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // The same file may be chosen again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
