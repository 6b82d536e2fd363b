import { toast } from '#client/page-events.ts';
import { ProblemError } from '#client/problem-error.ts';
import { validateFile } from '#client/upload.ts';
import { newUuid } from '#client/uuid.ts';
import { m } from '#messages';
import {
  attachmentTexts,
  attachmentTypes,
  documentExtensions,
  formatOfName,
  isHeicName,
  isTextFileName,
} from '../../attachments/accepted-files.ts';
import { attachmentLimits } from '../../contract.ts';
import { onSessionExpired } from '../state/send-message.ts';
import { fileExists, type PendingUpload, type Place, removeFile, Upload } from './attachment-upload.ts';

/** For the file picker's `accept`. */
export const acceptedFiles = [...attachmentTypes, ...documentExtensions].join(',');

const maxFiles = attachmentLimits.perMessage;

const finalStatuses = [400, 413, 415, 422];

const errorStatus = (error: unknown) => (error instanceof ProblemError ? error.status : 0);

/** Milliseconds to read one refusal. */
const readingTime = 4_000;

/** Refusals in the visible toast; the next toast replaces it and repeats them. */
let refusals: string[] = [];
let shownUntil = 0;

function showRefusal(text: string): void {
  const now = performance.now();
  refusals = [...(now < shownUntil ? refusals : []), text].slice(-5);
  const duration = readingTime * refusals.length;
  shownUntil = now + duration;
  toast({ text: refusals.join(' '), kind: 'danger', durationMs: duration });
}

function isAccepted(file: File, isOnly: boolean): boolean {
  // Systems report many different types for texts and documents, or none.
  const hasKnownName = [isTextFileName, formatOfName, isHeicName].some((is) => is(file.name));
  const types = hasKnownName ? [file.type] : attachmentTypes;
  const error = validateFile(file, { ...attachmentLimits, types, texts: attachmentTexts });
  if (error !== null) showRefusal(isOnly ? error : m.chat_file_refused({ name: file.name, error }));
  return error === null;
}

/** The uploads of all drafts. */
interface Uploads {
  filesAt(place: Place): readonly PendingUpload[];
  set(place: Place, files: readonly PendingUpload[]): void;
  replace(key: string, replacement?: PendingUpload): Place | undefined;
  onChange(place: Place): void;
}

/** Sends one file after the other, because the server reads only one per person at a time. */
export class UploadQueue {
  private readonly uploads: Uploads;
  private chain: Promise<void> = Promise.resolve();

  constructor(uploads: Uploads) {
    this.uploads = uploads;
  }

  addFiles(place: Place, files: File[], pasted?: string): void {
    if (pasted) {
      this.addText(place, pasted);
      return;
    }
    const { uploads } = this;
    const accepted = files.filter((file) => isAccepted(file, files.length === 1));
    const remaining = Math.max(0, maxFiles - uploads.filesAt(place).length);
    if (accepted.length > remaining)
      showRefusal(m.chat_file_limit({ most: maxFiles, left: accepted.length - remaining }));
    for (const file of accepted.slice(0, remaining)) this.add(place, new Upload(file));
  }

  private addText(place: Place, text: string): void {
    const file = new File([text], `${m.chat_file_pasted()}.txt`, { type: 'text/plain' });
    const upload = new Upload(file, text);
    const files = this.uploads.filesAt(place);
    if (files.length < maxFiles) {
      this.add(place, upload);
      return;
    }
    // Keep the pasted text, because no file has it.
    const error = m.chat_file_limit({ most: maxFiles, left: 1 });
    this.uploads.set(place, [...files, { key: newUuid(), phase: 'failed', upload, text: error }]);
  }

  /** @param only key of one failed upload; without it all are retried */
  retry(place: Place, only?: string): void {
    if (this.uploads.filesAt(place).length > maxFiles) return;
    for (const file of this.uploads.filesAt(place)) {
      if (file.phase !== 'failed' || (only !== undefined && file.key !== only)) continue;
      const { key, upload } = file;
      upload.queue();
      this.uploads.replace(key, { key, phase: 'sending', upload });
      this.enqueue(key, upload);
    }
  }

  async removeMissing(files: readonly Extract<PendingUpload, { phase: 'stored' }>[]): Promise<void> {
    for (const { key, attachment } of files) {
      if (await fileExists(attachment.id)) continue;
      const place = this.uploads.replace(key);
      if (place === undefined) continue;
      this.uploads.onChange(place);
      toast({ text: m.chat_file_gone({ name: attachment.name }), kind: 'danger', persistent: true });
    }
  }

  private add(place: Place, upload: Upload): void {
    const key = newUuid();
    this.uploads.set(place, [...this.uploads.filesAt(place), { key, phase: 'sending', upload }]);
    this.enqueue(key, upload);
  }

  private enqueue(key: string, upload: Upload): void {
    this.chain = this.chain.then(() => this.send(key, upload));
  }

  private async send(key: string, upload: Upload): Promise<void> {
    try {
      const attachment = await upload.send();
      if (!attachment) return;
      const place = this.uploads.replace(key, {
        key,
        phase: 'stored',
        attachment,
        preview: upload.preview,
        pasted: upload.pasted,
      });
      if (place === undefined) removeFile(attachment.id);
      else this.uploads.onChange(place);
    } catch (error) {
      this.fail(key, upload, error);
    }
  }

  private fail(key: string, upload: Upload, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    // No file has a pasted text, so it stays.
    const isFinal = upload.pasted === undefined && finalStatuses.includes(errorStatus(error));
    if (isFinal) {
      const place = this.uploads.replace(key);
      const isOnly = place === undefined || this.uploads.filesAt(place).length === 0;
      showRefusal(isOnly ? text : m.chat_file_refused({ name: upload.file.name, error: text }));
      return;
    }
    this.uploads.replace(key, { key, phase: 'failed', upload, text });
    if (errorStatus(error) === 401) onSessionExpired(location.pathname);
  }
}
