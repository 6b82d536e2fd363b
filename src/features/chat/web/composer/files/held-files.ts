import { ProblemError } from '../../../../../client/problem-error.ts';
import type { Attachment } from '../../../attachments/contract.ts';
import { signInAgain } from '../../state/sending.ts';
import type { Upload } from './upload.ts';

/** The file that the composer holds at one place. */
export type Held =
  | { phase: 'sending'; upload: Upload }
  | { phase: 'failed'; upload: Upload; text: string }
  | { phase: 'stored'; attachment: Attachment; preview: string | null };

/** Where a draft is, as `placeOf` tells. */
type Place = string | null;

/** The code that a file needs; it is loaded with the first one. */
const loadKit = async () => {
  const parts = import('./file-chip.tsx').then(({ FileChip }) => ({ FileChip }));
  const { Upload, refusalOf, removeFile, isKept } = await import('./upload.ts');
  return { Upload, refusalOf, removeFile, isKept, ...(await parts) };
};
type Kit = Awaited<ReturnType<typeof loadKit>>;

const toast = (text: string, kind: 'info' | 'danger') =>
  document.dispatchEvent(new CustomEvent('toast', { detail: { text, kind } }));

/** Refusals that the same file meets again. */
const finalStatuses = [400, 413, 415, 422];

const nameOf = (held: Held) => (held.phase === 'stored' ? held.attachment.name : held.upload.file.name);

/** The files that are attached and not sent, one for each draft; those of chats that are not open go on being sent. */
export class HeldFiles {
  private readonly held = new Map<Place, Held>();
  private readonly listeners = new Set<() => void>();
  private readonly onChange: (place: Place) => void;
  private loaded: Kit | null = null;

  /** @param onChange told when the stored file of a place is another one or gone. */
  constructor(onChange: (place: Place) => void) {
    this.onChange = onChange;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  at = (place: Place): Held | null => this.held.get(place) ?? null;

  /** The parts that show a file; null until they are loaded. */
  kit = (): Kit | null => this.loaded;

  storedAt(place: Place): Attachment | null {
    const held = this.held.get(place);
    return held?.phase === 'stored' ? held.attachment : null;
  }

  /** Loads what the first file needs. */
  async prepare(): Promise<Kit> {
    if (!this.loaded) {
      this.loaded = await loadKit();
      this.tell();
    }
    return this.loaded;
  }

  /** Attaches one file, in place of the one before, and sends it to the server. */
  async take(place: Place, files: File[]): Promise<void> {
    const [file] = files;
    if (!file) return;
    const kit = await this.prepare().catch(() => null);
    if (!kit)
      return void toast('The file could not be attached. Check the connection and try again.', 'danger');
    const refusal = kit.refusalOf(file);
    if (refusal !== null) return void toast(refusal, 'danger');
    const before = this.at(place);
    if (before) toast(`One file at a time: “${file.name}” takes the place of “${nameOf(before)}”.`, 'info');
    else if (files.length > 1) toast(`One file at a time: “${file.name}” was attached.`, 'info');
    this.discard(place);
    await this.send(place, new kit.Upload(file));
  }

  /** Sends a file again whose upload failed. */
  retry(place: Place): void {
    const held = this.held.get(place);
    if (held?.phase === 'failed') void this.send(place, held.upload);
  }

  /** Holds a file that the server has, as far as it still has it. */
  async put(place: Place, attachment: Attachment): Promise<void> {
    this.set(place, { phase: 'stored', attachment, preview: null });
    const kit = await this.prepare().catch(() => null);
    if (!kit || (await kit.isKept(attachment.id))) return;
    const now = this.placeWhere((held) => held.phase === 'stored' && held.attachment.id === attachment.id);
    if (now === undefined) return;
    this.forget(now);
    this.onChange(now);
    toast(`“${attachment.name}” is not there any more. Please attach it again.`, 'danger');
  }

  /** Takes a file out: cancels its upload or removes it from the server, but for one that a message has (`sent`). */
  discard(place: Place, sent?: string): void {
    const held = this.held.get(place);
    if (!held) return;
    if (held.phase !== 'stored') held.upload.cancel();
    else if (held.attachment.id !== sent) this.loaded?.removeFile(held.attachment.id);
    this.forget(place);
  }

  /** Holds a file no more, because it was sent. */
  forget(place: Place): void {
    const held = this.held.get(place);
    const preview = held?.phase === 'stored' ? held.preview : held?.upload.preview;
    if (preview) URL.revokeObjectURL(preview);
    if (this.held.delete(place)) this.tell();
  }

  /** A chat that was begun has an address now. */
  move(from: Place, to: Place): void {
    const held = this.held.get(from);
    if (!held) return;
    this.held.delete(from);
    this.set(to, held);
  }

  /** Ends all uploads and holds nothing more. */
  clear(): void {
    for (const [place, held] of this.held) {
      if (held.phase !== 'stored') held.upload.cancel();
      this.forget(place);
    }
  }

  private async send(place: Place, upload: Upload): Promise<void> {
    this.set(place, { phase: 'sending', upload });
    // It may have moved meanwhile, or been taken out.
    const whereNow = () => this.placeWhere((held) => held.phase === 'sending' && held.upload === upload);
    try {
      const attachment = await upload.send();
      const now = whereNow();
      if (now === undefined) return this.loaded?.removeFile(attachment.id);
      this.set(now, { phase: 'stored', attachment, preview: upload.preview });
      this.onChange(now);
    } catch (error) {
      const now = whereNow();
      if (now !== undefined) this.fail(now, upload, error);
    }
  }

  private fail(place: Place, upload: Upload, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    if (error instanceof ProblemError && finalStatuses.includes(error.status)) {
      this.forget(place);
      toast(text, 'danger');
      return;
    }
    this.set(place, { phase: 'failed', upload, text });
    if (error instanceof ProblemError && error.status === 401) signInAgain(location.pathname);
  }

  private placeWhere(fits: (held: Held) => boolean): Place | undefined {
    for (const [place, held] of this.held) if (fits(held)) return place;
    return undefined;
  }

  private set(place: Place, held: Held): void {
    this.held.set(place, held);
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
