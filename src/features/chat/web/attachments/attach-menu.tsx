import { LibraryBig, Upload } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { m } from '#messages';
import type { Attachment } from '../../contract.ts';
import { PopupItem, PopupMenu } from '../sidebar/popup-menu.tsx';

const LibraryFiles = lazy(() => import('./library-files.tsx'));

interface AttachMenuProps {
  button: HTMLElement;
  /** How many more files fit into the message. */
  remaining: number;
  onUpload: () => void;
  onAttach: (files: Attachment[]) => void;
  onEnd: () => void;
}

export function AttachMenu({ button, remaining, onUpload, onAttach, onEnd }: AttachMenuProps) {
  const [step, setStep] = useState<'menu' | 'library' | 'end'>('menu');
  useEffect(() => {
    if (step === 'end') onEnd();
  }, [step, onEnd]);
  if (step === 'end') return null;
  if (step === 'library')
    return (
      <Suspense>
        <LibraryFiles remaining={remaining} onAttach={onAttach} onClose={() => setStep('end')} />
      </Suspense>
    );
  return (
    <PopupMenu
      label={m.chat_attach()}
      button={button}
      opened={1}
      onClose={() => setStep((now) => (now === 'menu' ? 'end' : now))}
    >
      <PopupItem Icon={Upload} name={m.chat_attach_upload()} onChoose={onUpload} />
      <PopupItem Icon={LibraryBig} name={m.chat_attach_library()} onChoose={() => setStep('library')} />
    </PopupMenu>
  );
}
