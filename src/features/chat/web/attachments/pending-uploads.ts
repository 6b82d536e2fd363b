import { useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { openSignIn, toast } from '#client/page-events.ts';
import { newUuid } from '#client/uuid.ts';
import { m } from '#messages';
import { type Attachment, attachmentLimits } from '../../contract.ts';
import type { ChatState } from '../state/chat-state.ts';
import { isForeign } from '../state/drafts.ts';
import type { PendingUpload, Place } from './attachment-upload.ts';

type PendingFiles = readonly PendingUpload[];

const noFiles: PendingFiles = [];

const loadAttachmentCode = async (uploads: PendingUploads) => {
  const parts = import('./attachment-chip.tsx').then(({ FileChips }) => ({ FileChips }));
  const { removeFile } = await import('./attachment-upload.ts');
  const { UploadQueue, acceptedFiles } = await import('./upload-queue.ts');
  const { AttachMenu } = await import('./attach-menu.tsx');
  return { queue: new UploadQueue(uploads), acceptedFiles, removeFile, AttachMenu, ...(await parts) };
};
export type AttachmentCode = Awaited<ReturnType<typeof loadAttachmentCode>>;

export const phaseOf = (pending: PendingFiles): PendingUpload['phase'] | undefined =>
  (['sending', 'failed', 'stored'] as const).find((phase) => pending.some((file) => file.phase === phase));

function revokePreview(file: PendingUpload): void {
  const preview = file.phase === 'stored' ? file.preview : file.upload.preview;
  if (preview) URL.revokeObjectURL(preview);
}

/** The files of each draft; uploads continue for chats that are not open. */
export class PendingUploads {
  private readonly pending = new Map<Place, PendingFiles>();
  private readonly listeners = new Set<() => void>();
  readonly onChange: (place: Place) => void;
  private loaded: AttachmentCode | null = null;

  constructor(onChange: (place: Place) => void) {
    this.onChange = onChange;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  filesAt = (place: Place): PendingFiles => this.pending.get(place) ?? noFiles;

  kit = (): AttachmentCode | null => this.loaded;

  storedAt = (place: Place): Attachment[] =>
    this.filesAt(place).flatMap((file) => (file.phase === 'stored' ? file.attachment : []));

  async prepare(): Promise<AttachmentCode> {
    if (!this.loaded) {
      const code = await loadAttachmentCode(this);
      this.loaded ??= code;
      this.notify();
    }
    return this.loaded;
  }

  /** @param text a pasted text that becomes a file, instead of `files` */
  async addFiles(place: Place, files: File[], text?: string): Promise<void> {
    if (files.length === 0 && !text) return;
    const kit = await this.prepare().catch(() => null);
    if (kit) kit.queue.addFiles(place, files, text);
    else toast({ text: m.chat_file_failed(), kind: 'danger' });
  }

  /** Adds stored files to those that are already there. */
  async addStored(place: Place, attachments: Attachment[]): Promise<void> {
    const existing = this.storedAt(place);
    const added = attachments
      .filter(({ id }) => !existing.some((file) => file.id === id))
      .slice(0, attachmentLimits.perMessage - this.filesAt(place).length)
      .map((attachment) => ({ key: newUuid(), phase: 'stored' as const, attachment, preview: null }));
    if (added.length === 0) return;
    this.set(place, [...added, ...this.filesAt(place)]);
    const kit = await this.prepare().catch(() => null);
    await kit?.queue.removeMissing(added);
  }

  /** @param sent files that a message refers to, which stay on the server */
  remove(key: string, sent: readonly Attachment[] = []): void {
    const file = [...this.pending.values()].flat().find((each) => each.key === key);
    if (file?.phase !== 'stored') file?.upload.cancel();
    else if (!sent.some(({ id }) => id === file.attachment.id)) this.loaded?.removeFile(file.attachment.id);
    this.replace(key);
  }

  discard(place: Place, sent?: readonly Attachment[]): void {
    for (const { key } of this.filesAt(place)) this.remove(key, sent);
  }

  /** Takes the files off the page without deleting them on the server; stored files in `except` stay. */
  forget(place: Place, except: readonly Attachment[] = []): void {
    const isExempt = (file: PendingUpload) =>
      file.phase === 'stored' && except.some(({ id }) => id === file.attachment.id);
    const files = this.filesAt(place);
    for (const file of files) if (!isExempt(file)) revokePreview(file);
    if (files.length > 0) this.set(place, files.filter(isExempt));
  }

  move(from: Place, to: Place): void {
    const files = this.filesAt(from);
    if (files.length === 0) return;
    this.pending.delete(from);
    this.set(to, [...this.filesAt(to), ...files]);
  }

  clear(): void {
    for (const [place, files] of this.pending) {
      for (const file of files) if (file.phase !== 'stored') file.upload.cancel();
      this.forget(place);
    }
  }

  /** Replaces or removes a file, which may have moved or been removed. @returns the place where it was found */
  replace(key: string, replacement?: PendingUpload): Place | undefined {
    for (const [place, files] of this.pending) {
      const file = files.find((each) => each.key === key);
      if (!file) continue;
      if (!replacement) revokePreview(file);
      this.set(
        place,
        files.flatMap((each) => (each === file ? (replacement ?? []) : each)),
      );
      return place;
    }
    return undefined;
  }

  set(place: Place, files: PendingFiles): void {
    if (files.length > 0) this.pending.set(place, files);
    else this.pending.delete(place);
    this.notify();
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}

/** Takes a guest's dropped or pasted files after the sign-in. Calls `onChange` when the files of a place have changed. */
export function useAttachments(
  place: string | null,
  { me, owner }: Pick<ChatState, 'me' | 'owner'>,
  onChange: (place: string | null) => void,
) {
  const signedIn = me !== null;
  const onChangeRef = useRef(onChange);
  onChangeRef.current = onChange;
  const [files] = useState(() => new PendingUploads((changed) => onChangeRef.current(changed)));
  const pending = useSyncExternalStore(
    files.subscribe,
    () => files.filesAt(place),
    () => noFiles,
  );
  const kit = useSyncExternalStore(files.subscribe, files.kit, () => null);
  const waiting = useRef<File[]>([]);

  const previousOwner = useRef(owner);
  useLayoutEffect(() => {
    if (isForeign(previousOwner.current, owner)) {
      waiting.current = [];
      files.clear();
    }
    previousOwner.current = owner;
  }, [files, owner]);

  const addFiles = useCallback(
    (chosen: File[], text?: string) => {
      if (signedIn) return void files.addFiles(place, chosen, text);
      waiting.current = [...waiting.current, ...chosen];
      openSignIn({ next: '/chat/new', reason: m.chat_file_sign_in() });
    },
    [files, place, signedIn],
  );
  useEffect(() => {
    if (signedIn) addFiles(waiting.current.splice(0));
  }, [signedIn, addFiles]);

  const prepare = useCallback(() => {
    // An error is shown once a file is really attached.
    files.prepare().catch(() => undefined);
  }, [files]);

  useEffect(() => {
    const onAuth = (event: Event) => {
      if ((event as CustomEvent<{ signedIn?: boolean }>).detail?.signedIn === false) files.clear();
    };
    document.addEventListener('auth:changed', onAuth);
    return () => {
      document.removeEventListener('auth:changed', onAuth);
      files.clear();
    };
  }, [files]);

  return { files, pending, kit, addFiles, prepare };
}
