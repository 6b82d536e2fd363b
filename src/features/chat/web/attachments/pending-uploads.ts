import { useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { openSignIn, toast } from '#client/page-events.ts';
import { newUuid } from '#client/uuid.ts';
import { m } from '#messages';
import { type Attachment, attachmentLimits } from '../../contract.ts';
import type { ChatState } from '../state/chat-state.ts';
import { isForeign } from '../state/drafts.ts';
import type { PendingUpload, Place } from './attachment-upload.ts';

type Held = readonly PendingUpload[];

const none: Held = [];

const loadAttachmentCode = async (uploads: PendingUploads) => {
  const parts = import('./attachment-chip.tsx').then(({ FileChips }) => ({ FileChips }));
  const { removeFile } = await import('./attachment-upload.ts');
  const { UploadQueue, acceptedFiles } = await import('./upload-queue.ts');
  const { AttachMenu } = await import('./attach-menu.tsx');
  return { queue: new UploadQueue(uploads), acceptedFiles, removeFile, AttachMenu, ...(await parts) };
};
export type AttachmentCode = Awaited<ReturnType<typeof loadAttachmentCode>>;

export const phaseOf = (held: Held): PendingUpload['phase'] | undefined =>
  (['sending', 'failed', 'stored'] as const).find((phase) => held.some((file) => file.phase === phase));

function free(file: PendingUpload): void {
  const preview = file.phase === 'stored' ? file.preview : file.upload.preview;
  if (preview) URL.revokeObjectURL(preview);
}

/** The files of each draft; uploads continue for chats that are not open. */
export class PendingUploads {
  private readonly held = new Map<Place, Held>();
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

  at = (place: Place): Held => this.held.get(place) ?? none;

  kit = (): AttachmentCode | null => this.loaded;

  storedAt = (place: Place): Attachment[] =>
    this.at(place).flatMap((file) => (file.phase === 'stored' ? file.attachment : []));

  async prepare(): Promise<AttachmentCode> {
    if (!this.loaded) {
      const code = await loadAttachmentCode(this);
      this.loaded ??= code;
      this.tell();
    }
    return this.loaded;
  }

  /** @param text a pasted text that becomes a file, instead of `files` */
  async take(place: Place, files: File[], text?: string): Promise<void> {
    if (files.length === 0 && !text) return;
    const kit = await this.prepare().catch(() => null);
    if (kit) kit.queue.take(place, files, text);
    else toast({ text: m.chat_file_failed(), kind: 'danger' });
  }

  /** Adds stored files to those that are already there. */
  async put(place: Place, attachments: Attachment[]): Promise<void> {
    const there = this.storedAt(place);
    const added = attachments
      .filter(({ id }) => !there.some((file) => file.id === id))
      .slice(0, attachmentLimits.perMessage - this.at(place).length)
      .map((attachment) => ({ key: newUuid(), phase: 'stored' as const, attachment, preview: null }));
    if (added.length === 0) return;
    this.set(place, [...added, ...this.at(place)]);
    const kit = await this.prepare().catch(() => null);
    await kit?.queue.dropGone(added);
  }

  /** @param sent files that a message refers to, which stay on the server */
  remove(key: string, sent: readonly Attachment[] = []): void {
    const file = [...this.held.values()].flat().find((each) => each.key === key);
    if (file?.phase !== 'stored') file?.upload.cancel();
    else if (!sent.some(({ id }) => id === file.attachment.id)) this.loaded?.removeFile(file.attachment.id);
    this.replace(key);
  }

  discard(place: Place, sent?: readonly Attachment[]): void {
    for (const { key } of this.at(place)) this.remove(key, sent);
  }

  /** Takes the files off the page without deleting them on the server; stored files in `kept` stay. */
  forget(place: Place, kept: readonly Attachment[] = []): void {
    const stays = (file: PendingUpload) =>
      file.phase === 'stored' && kept.some(({ id }) => id === file.attachment.id);
    const held = this.at(place);
    for (const file of held) if (!stays(file)) free(file);
    if (held.length > 0) this.set(place, held.filter(stays));
  }

  move(from: Place, to: Place): void {
    const held = this.at(from);
    if (held.length === 0) return;
    this.held.delete(from);
    this.set(to, [...this.at(to), ...held]);
  }

  clear(): void {
    for (const [place, held] of this.held) {
      for (const file of held) if (file.phase !== 'stored') file.upload.cancel();
      this.forget(place);
    }
  }

  /** Replaces or removes a file, which may have moved or been removed. @returns the place where it was found */
  replace(key: string, by?: PendingUpload): Place | undefined {
    for (const [place, held] of this.held) {
      const file = held.find((each) => each.key === key);
      if (!file) continue;
      if (!by) free(file);
      this.set(
        place,
        held.flatMap((each) => (each === file ? (by ?? []) : each)),
      );
      return place;
    }
    return undefined;
  }

  set(place: Place, held: Held): void {
    if (held.length > 0) this.held.set(place, held);
    else this.held.delete(place);
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

/** Takes a guest's dropped or pasted files after the sign-in. Calls `keep` when the files of a place have changed. */
export function useAttachments(
  place: string | null,
  { me, owner }: Pick<ChatState, 'me' | 'owner'>,
  keep: (place: string | null) => void,
) {
  const signedIn = me !== null;
  const keeper = useRef(keep);
  keeper.current = keep;
  const [files] = useState(() => new PendingUploads((changed) => keeper.current(changed)));
  const held = useSyncExternalStore(
    files.subscribe,
    () => files.at(place),
    () => none,
  );
  const kit = useSyncExternalStore(files.subscribe, files.kit, () => null);
  const waiting = useRef<File[]>([]);

  const before = useRef(owner);
  useLayoutEffect(() => {
    if (isForeign(before.current, owner)) {
      waiting.current = [];
      files.clear();
    }
    before.current = owner;
  }, [files, owner]);

  const take = useCallback(
    (chosen: File[], text?: string) => {
      if (signedIn) return void files.take(place, chosen, text);
      waiting.current = [...waiting.current, ...chosen];
      openSignIn({ next: '/chat/new', reason: m.chat_file_sign_in() });
    },
    [files, place, signedIn],
  );
  useEffect(() => {
    if (signedIn) take(waiting.current.splice(0));
  }, [signedIn, take]);

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

  return { files, held, kit, take, prepare };
}
