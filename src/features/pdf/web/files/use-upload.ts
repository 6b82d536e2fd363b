import { useCallback, useEffect, useRef, useState } from 'react';
import { toast } from '../../../../client/page-events.ts';
import type { DocumentView } from '../../contract.ts';
import { refusalOf, sendDocument, type UploadProgress } from './upload.ts';

interface Uploading {
  file: File;
  /** null while it waits for a sign-in. */
  progress: UploadProgress | null;
}

interface UploadControl {
  upload: Uploading | null;
  /** Why the last file was not sent, in words; null when it was. */
  failure: string | null;
  choose(file: File): void;
  cancel(): void;
}

/**
 * One file at a time, sent as soon as it is chosen; one that a guest chose waits for the sign-in.
 * @param maySend whether the person may send files; asks for what is missing where not.
 */
export function useUpload({
  maySend,
  onChoose,
  onAsk,
  onDone,
  onRefused,
}: {
  maySend: boolean;
  onChoose: () => void;
  onAsk: () => void;
  onDone: (document: DocumentView) => void;
  onRefused: (error: unknown) => void;
}): UploadControl {
  const [upload, setUpload] = useState<Uploading | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const abort = useRef<AbortController | null>(null);
  const latest = useRef({ onAsk, onDone, onRefused });
  latest.current = { onAsk, onDone, onRefused };
  useEffect(() => () => abort.current?.abort(), []);

  const send = useCallback((file: File) => {
    const mine = new AbortController();
    abort.current?.abort();
    abort.current = mine;
    setUpload({ file, progress: { step: 'sending', sent: 0, of: file.size } });
    const onProgress = (progress: UploadProgress) => {
      if (!mine.signal.aborted) setUpload({ file, progress });
    };
    sendDocument(file, { signal: mine.signal, onProgress })
      .then((document) => {
        if (!mine.signal.aborted) latest.current.onDone(document);
      })
      .catch((error: unknown) => {
        if (mine.signal.aborted) return;
        latest.current.onRefused(error);
      })
      .finally(() => {
        if (!mine.signal.aborted) setUpload(null);
      });
  }, []);

  const waiting = upload?.progress === null ? upload.file : null;
  useEffect(() => {
    if (waiting && maySend) send(waiting);
  }, [waiting, maySend, send]);

  const choose = (file: File) => {
    const refusal = refusalOf(file);
    onChoose();
    setFailure(refusal ? `${refusal.title}. ${refusal.text}` : null);
    if (refusal) return toast({ title: refusal.title, text: refusal.text, kind: 'danger' });
    if (maySend) return send(file);
    setUpload({ file, progress: null });
    onAsk();
  };
  const cancel = () => {
    abort.current?.abort();
    setUpload(null);
  };
  return { upload, failure, choose, cancel };
}
