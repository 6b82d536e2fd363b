import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Attachment } from '../../contract.ts';
import type { PendingUpload } from '../attachments/attachment-upload.ts';
import { type KnowledgeRequests, KnowledgeUploads, place } from './knowledge-uploads.ts';

const none: readonly PendingUpload[] = [];

/** `files`: the stored files when the form opens. */
export function useKnowledgeFiles(files: Attachment[], requests: KnowledgeRequests | null) {
  const [own] = useState(() => new KnowledgeUploads(files, requests));
  const { uploads } = own;
  const held = useSyncExternalStore(
    uploads.subscribe,
    () => uploads.at(place),
    () => none,
  );
  const kit = useSyncExternalStore(uploads.subscribe, uploads.kit, () => null);
  const removed = useSyncExternalStore(
    uploads.subscribe,
    () => own.removed,
    () => null,
  );
  const closing = useRef(own);
  useEffect(() => {
    closing.current.uploads.prepare().catch(() => undefined);
    const { current } = closing;
    return () => current.close();
  }, []);
  return {
    held,
    kit,
    removed,
    /** Whether a file is still being uploaded. */
    sending: held.some(({ phase }) => phase === 'sending'),
    take: (chosen: File[]) => own.take(chosen),
    addAll: (to: KnowledgeRequests) => own.addAll(to),
    remove: (key: string) => own.remove(key),
    putBack: (file: Attachment) => own.putBack(file),
    retry: (key: string) => kit?.queue.retry(place, key),
  };
}

export type KnowledgeFilesState = ReturnType<typeof useKnowledgeFiles>;
