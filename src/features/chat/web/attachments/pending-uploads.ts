import { useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { openSignIn, toast } from '#client/page-events.ts';
import { ProblemError } from '#client/problem-error.ts';
import { m } from '#messages';
import { type Attachment, attachmentLimits, attachmentTexts } from '../../contract.ts';
import type { ChatState } from '../state/chat-state.ts';
import { isForeign } from '../state/drafts.ts';
import { onSessionExpired } from '../state/send-message.ts';
import type { PendingUpload, StoredUpload, Upload } from './attachment-upload.ts';

const storedOf = (held: PendingUpload | null): StoredUpload | null => {
  if (!held) return null;
  return held.phase === 'stored' ? held : held.before;
};

const freePreview = (preview: string | null) => preview && URL.revokeObjectURL(preview);

type Place = string | null;

const loadAttachmentCode = async () => {
  const parts = import('./attachment-chip.tsx').then(({ FileChip }) => ({ FileChip }));
  const { Upload, removeFile, isKept } = await import('./attachment-upload.ts');
  const { refusalOf } = await import('#client/upload.ts');
  return { Upload, refusalOf, removeFile, isKept, ...(await parts) };
};
type AttachmentCode = Awaited<ReturnType<typeof loadAttachmentCode>>;

const tellReplaced = (name: string, before: string) =>
  toast({ text: m.chat_file_replaced({ name, before }), kind: 'info' });

const finalStatuses = [400, 413, 415, 422];

const nameOf = (held: PendingUpload) =>
  held.phase === 'stored' ? held.attachment.name : held.upload.file.name;

/** One file for each draft; those of chats that are not open go on being sent. */
export class PendingUploads {
  private readonly held = new Map<Place, PendingUpload>();
  private readonly listeners = new Set<() => void>();
  private readonly onChange: (place: Place) => void;
  private loaded: AttachmentCode | null = null;

  constructor(onChange: (place: Place) => void) {
    this.onChange = onChange;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  at = (place: Place): PendingUpload | null => this.held.get(place) ?? null;

  kit = (): AttachmentCode | null => this.loaded;

  storedAt(place: Place): Attachment | null {
    return storedOf(this.at(place))?.attachment ?? null;
  }

  async prepare(): Promise<AttachmentCode> {
    if (!this.loaded) {
      this.loaded = await loadAttachmentCode();
      this.tell();
    }
    return this.loaded;
  }

  async take(place: Place, files: File[]): Promise<void> {
    const [file] = files;
    if (!file) return;
    const kit = await this.prepare().catch(() => null);
    if (!kit) return void toast({ text: m.chat_file_failed(), kind: 'danger' });
    const refusal = kit.refusalOf(file, { ...attachmentLimits, texts: attachmentTexts });
    if (refusal !== null) return void toast({ text: refusal, kind: 'danger' });
    const [held, before] = [this.at(place), storedOf(this.at(place))];
    if (held && !before) tellReplaced(file.name, nameOf(held));
    else if (!held && files.length > 1)
      toast({ text: m.chat_file_first_only({ name: file.name }), kind: 'info' });
    if (held && held.phase !== 'stored') this.endUpload(held.upload);
    await this.send(place, new kit.Upload(file), before);
  }

  retry(place: Place): void {
    const held = this.held.get(place);
    if (held?.phase === 'failed') void this.send(place, held.upload, held.before);
  }

  async put(place: Place, attachment: Attachment): Promise<void> {
    this.set(place, { phase: 'stored', attachment, preview: null });
    const kit = await this.prepare().catch(() => null);
    if (!kit || (await kit.isKept(attachment.id))) return;
    const now = this.placeWhere((held) => held.phase === 'stored' && held.attachment.id === attachment.id);
    if (now === undefined) return;
    this.forget(now);
    this.onChange(now);
    toast({ text: m.chat_file_gone({ name: attachment.name }), kind: 'danger', stays: true });
  }

  remove(place: Place, sent?: string): void {
    const held = this.held.get(place);
    if (!held || held.phase === 'stored' || !held.before) this.discard(place, sent);
    else {
      this.endUpload(held.upload);
      this.set(place, held.before);
    }
  }

  discard(place: Place, sent?: string): void {
    const held = this.held.get(place);
    if (!held) return;
    if (held.phase !== 'stored') held.upload.cancel();
    const stored = storedOf(held);
    if (stored && stored.attachment.id !== sent) this.loaded?.removeFile(stored.attachment.id);
    this.forget(place);
  }

  forget(place: Place): void {
    const held = this.held.get(place);
    if (held && held.phase !== 'stored') freePreview(held.upload.preview);
    freePreview(storedOf(held ?? null)?.preview ?? null);
    if (this.held.delete(place)) this.tell();
  }

  move(from: Place, to: Place): void {
    const held = this.held.get(from);
    if (!held) return;
    this.held.delete(from);
    this.set(to, held);
  }

  clear(): void {
    for (const [place, held] of this.held) {
      if (held.phase !== 'stored') held.upload.cancel();
      this.forget(place);
    }
  }

  private endUpload(upload: Upload): void {
    upload.cancel();
    freePreview(upload.preview);
  }

  private async send(place: Place, upload: Upload, before: StoredUpload | null): Promise<void> {
    this.set(place, { phase: 'sending', upload, before });
    // It may have moved meanwhile, or been taken out.
    const whereNow = () => this.placeWhere((held) => held.phase === 'sending' && held.upload === upload);
    try {
      const attachment = await upload.send();
      const now = whereNow();
      if (now === undefined) return this.loaded?.removeFile(attachment.id);
      this.set(now, { phase: 'stored', attachment, preview: upload.preview });
      this.onChange(now);
      if (before) this.replaced(before, attachment.name);
    } catch (error) {
      const now = whereNow();
      if (now !== undefined) this.fail(now, { upload, before }, error);
    }
  }

  private replaced({ attachment, preview }: StoredUpload, name: string): void {
    freePreview(preview);
    this.loaded?.removeFile(attachment.id);
    tellReplaced(name, attachment.name);
  }

  private fail(place: Place, failed: { upload: Upload; before: StoredUpload | null }, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    const { before } = failed;
    if (error instanceof ProblemError && finalStatuses.includes(error.status)) {
      if (before) this.remove(place);
      else this.forget(place);
      const sentence = /\p{Sentence_Terminal}$/u.test(text) ? text : `${text}.`;
      toast({
        text: before ? m.chat_file_still_attached({ error: sentence, name: before.attachment.name }) : text,
        kind: 'danger',
      });
      return;
    }
    this.set(place, { phase: 'failed', ...failed, text });
    if (error instanceof ProblemError && error.status === 401) onSessionExpired(location.pathname);
  }

  private placeWhere(fits: (held: PendingUpload) => boolean): Place | undefined {
    for (const [place, held] of this.held) if (fits(held)) return place;
    return undefined;
  }

  private set(place: Place, held: PendingUpload): void {
    this.held.set(place, held);
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

/** What a guest dropped or pasted is taken after the sign-in. `keep`: the file of a place has changed. */
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
    () => null,
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
    (chosen: File[]) => {
      if (signedIn) return void files.take(place, chosen);
      waiting.current = chosen;
      openSignIn({ next: '/chat/new', reason: m.chat_file_sign_in() });
    },
    [files, place, signedIn],
  );
  useEffect(() => {
    if (signedIn) take(waiting.current.splice(0));
  }, [signedIn, take]);

  const prepare = useCallback(() => {
    // A failure is told when a file is really attached.
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
