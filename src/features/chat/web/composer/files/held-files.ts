import { ProblemError } from '../../../../../client/problem-error.ts';
import type { Attachment } from '../../../attachments/contract.ts';
import { signInAgain } from '../../state/sending.ts';
import type { Upload } from './upload.ts';

/** The file that the composer holds at one place. */
export type Held =
  | { phase: 'sending'; upload: Upload; before: Stored | null }
  | { phase: 'failed'; upload: Upload; text: string; before: Stored | null }
  | Stored;

/** A file that the server has; `before` in the others is the one that stays attached until the new one is. */
interface Stored {
  phase: 'stored';
  attachment: Attachment;
  preview: string | null;
}

const storedOf = (held: Held | null): Stored | null => {
  if (!held) return null;
  return held.phase === 'stored' ? held : held.before;
};

const freePreview = (preview: string | null) => preview && URL.revokeObjectURL(preview);

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

const tellReplaced = (name: string, before: string) =>
  toast(`One file at a time: “${name}” takes the place of “${before}”.`, 'info');

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
    return storedOf(this.at(place))?.attachment ?? null;
  }

  /** Loads what the first file needs. */
  async prepare(): Promise<Kit> {
    if (!this.loaded) {
      this.loaded = await loadKit();
      this.tell();
    }
    return this.loaded;
  }

  /** Sends one file to the server and attaches it; the one before stays until then. */
  async take(place: Place, files: File[]): Promise<void> {
    const [file] = files;
    if (!file) return;
    const kit = await this.prepare().catch(() => null);
    if (!kit)
      return void toast('The file could not be attached. Check the connection and try again.', 'danger');
    const refusal = kit.refusalOf(file);
    if (refusal !== null) return void toast(refusal, 'danger');
    const [held, before] = [this.at(place), storedOf(this.at(place))];
    if (held && !before) tellReplaced(file.name, nameOf(held));
    else if (!held && files.length > 1) toast(`One file at a time: “${file.name}” was attached.`, 'info');
    if (held && held.phase !== 'stored') this.endUpload(held.upload);
    await this.send(place, new kit.Upload(file), before);
  }

  /** Sends a file again whose upload failed. */
  retry(place: Place): void {
    const held = this.held.get(place);
    if (held?.phase === 'failed') void this.send(place, held.upload, held.before);
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

  /** Takes out the file that is shown; where that was to replace another one, the other one is shown again. */
  remove(place: Place, sent?: string): void {
    const held = this.held.get(place);
    if (!held || held.phase === 'stored' || !held.before) this.discard(place, sent);
    else {
      this.endUpload(held.upload);
      this.set(place, held.before);
    }
  }

  /** Takes all out: cancels the upload and removes what the server has, but for a file that a message has (`sent`). */
  discard(place: Place, sent?: string): void {
    const held = this.held.get(place);
    if (!held) return;
    if (held.phase !== 'stored') held.upload.cancel();
    const stored = storedOf(held);
    if (stored && stored.attachment.id !== sent) this.loaded?.removeFile(stored.attachment.id);
    this.forget(place);
  }

  /** Holds a file no more, because it was sent. */
  forget(place: Place): void {
    const held = this.held.get(place);
    if (held && held.phase !== 'stored') freePreview(held.upload.preview);
    freePreview(storedOf(held ?? null)?.preview ?? null);
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

  private endUpload(upload: Upload): void {
    upload.cancel();
    freePreview(upload.preview);
  }

  private async send(place: Place, upload: Upload, before: Stored | null): Promise<void> {
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

  private replaced({ attachment, preview }: Stored, name: string): void {
    freePreview(preview);
    this.loaded?.removeFile(attachment.id);
    tellReplaced(name, attachment.name);
  }

  private fail(place: Place, failed: { upload: Upload; before: Stored | null }, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    const { before } = failed;
    if (error instanceof ProblemError && finalStatuses.includes(error.status)) {
      if (before) this.remove(place);
      else this.forget(place);
      toast(before ? `${text} “${before.attachment.name}” is still attached.` : text, 'danger');
      return;
    }
    this.set(place, { phase: 'failed', ...failed, text });
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
