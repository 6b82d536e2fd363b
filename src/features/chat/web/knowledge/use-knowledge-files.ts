import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Attachment } from '../../contract.ts';
import type { PendingUpload } from '../attachments/attachment-upload.ts';
import { type KnowledgeRequests, KnowledgeUploads, place } from './knowledge-uploads.ts';

const noFiles: readonly PendingUpload[] = [];

/** `files`: the stored files when the form opens. */
export function useKnowledgeFiles(files: Attachment[], requests: KnowledgeRequests | null) {
  const [knowledge] = useState(() => new KnowledgeUploads(files, requests));
  const { uploads } = knowledge;
  const pending = useSyncExternalStore(
    uploads.subscribe,
    () => uploads.filesAt(place),
    () => noFiles,
  );
  const kit = useSyncExternalStore(uploads.subscribe, uploads.kit, () => null);
  const removed = useSyncExternalStore(
    uploads.subscribe,
    () => knowledge.removed,
    () => null,
  );
  const knowledgeRef = useRef(knowledge);
  useEffect(() => {
    knowledgeRef.current.uploads.prepare().catch(() => undefined);
    const { current } = knowledgeRef;
    return () => current.close();
  }, []);
  return {
    pending,
    kit,
    removed,
    /** Whether a file is still being uploaded. */
    sending: pending.some(({ phase }) => phase === 'sending'),
    addFiles: (chosen: File[]) => knowledge.addFiles(chosen),
    addAll: (requests: KnowledgeRequests) => knowledge.addAll(requests),
    remove: (key: string) => knowledge.remove(key),
    restore: (file: Attachment) => knowledge.restore(file),
    retry: (key: string) => kit?.queue.retry(place, key),
  };
}

export type KnowledgeFilesState = ReturnType<typeof useKnowledgeFiles>;
