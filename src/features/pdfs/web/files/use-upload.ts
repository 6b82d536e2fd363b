import { useCallback, useEffect, useRef, useState } from 'react';
import { toast } from '#client/page-events.ts';
import { ProblemError } from '#client/problem-error.ts';
import { validateFile } from '#client/upload.ts';
import { m } from '#messages';
import { type DocumentView, documentLimits, uploadRefusals } from '../../contract.ts';
import { rememberPassword } from '../viewer/document-passwords.ts';
import { sendDocument, type UploadProgress } from './send-document.ts';

interface Uploading {
  file: File;
  /** Null while it waits for a sign-in or its password. */
  progress: UploadProgress | null;
  locked?: { text: string; wrong: boolean };
}

function passwordRequestOf(error: unknown): Uploading['locked'] | null {
  if (!(error instanceof ProblemError)) return null;
  const { code } = error.body;
  return code === 'password_needed' || code === 'password_wrong'
    ? { text: error.message, wrong: code === 'password_wrong' }
    : null;
}

/** Uploads a file as soon as it is chosen, or, for a guest, after the sign-in. */
export function useUpload({
  canSend,
  onChoose,
  onAsk,
  onDone,
  onRefused,
}: {
  canSend: boolean;
  onChoose: () => void;
  onAsk: () => void;
  onDone: (document: DocumentView) => void;
  onRefused: (error: unknown) => void;
}) {
  const [upload, setUpload] = useState<Uploading | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const abort = useRef<AbortController | null>(null);
  const latest = useRef({ onAsk, onDone, onRefused });
  latest.current = { onAsk, onDone, onRefused };
  useEffect(() => () => abort.current?.abort(), []);

  const send = useCallback((file: File, password: string | null = null) => {
    const controller = new AbortController();
    abort.current?.abort();
    abort.current = controller;
    setUpload({ file, progress: { step: 'sending', sent: 0, of: file.size } });
    const onProgress = (progress: UploadProgress) => {
      if (!controller.signal.aborted) setUpload({ file, progress });
    };
    sendDocument(file, { signal: controller.signal, password, onProgress }).then(
      (document) => {
        if (controller.signal.aborted) return;
        if (password !== null) rememberPassword(document.id, password);
        setUpload(null);
        latest.current.onDone(document);
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        const locked = passwordRequestOf(error);
        setUpload(locked ? { file, progress: null, locked } : null);
        if (!locked) latest.current.onRefused(error);
      },
    );
  }, []);

  const waiting = upload?.progress === null && !upload.locked ? upload.file : null;
  useEffect(() => {
    if (waiting && canSend) send(waiting);
  }, [waiting, canSend, send]);

  const choose = (file: File) => {
    const refusal = validateFile(file, { ...documentLimits, texts: uploadRefusals() });
    onChoose();
    setFailure(refusal ? m.pdfs_refusal(refusal) : null);
    if (refusal) return toast({ title: refusal.title, text: refusal.text, kind: 'danger' });
    if (canSend) return send(file);
    setUpload({ file, progress: null });
    onAsk();
  };
  const cancel = () => {
    abort.current?.abort();
    setUpload(null);
  };
  const unlock = (password: string) => upload?.locked && send(upload.file, password);
  return { upload, failure, choose, unlock, cancel };
}
