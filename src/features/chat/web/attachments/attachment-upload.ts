import { upload } from '#client/upload.ts';
import { type Attachment, attachmentLimits } from '../../contract.ts';

export interface Progress {
  fraction: number;
  /** Waiting for its turn, because a person's files are sent one after the other. */
  queued: boolean;
  reading: boolean;
}

/** Not every browser can show the image formats of phones. */
const previewTypes = /^image\/(?:jpeg|png|webp)$/;

const initialProgress: Progress = { fraction: 0, queued: false, reading: false };

export class Upload {
  readonly file: File;
  readonly preview: string | null;
  /** The pasted text from which the file was made. */
  readonly pasted: string | undefined;
  private abort = new AbortController();
  private progress: Progress = { ...initialProgress, queued: true };
  private readonly listeners = new Set<() => void>();

  constructor(file: File, pasted?: string) {
    this.file = file;
    this.pasted = pasted;
    this.preview = previewTypes.test(file.type) ? URL.createObjectURL(file) : null;
  }

  /** Returns null if it was cancelled. */
  async send(): Promise<Attachment | null> {
    const { signal } = this.abort;
    if (signal.aborted) return null;
    this.setProgress(initialProgress);
    const cancelled = new Promise<null>((resolve) => {
      signal.addEventListener('abort', () => resolve(null));
    });
    const request = upload('/api/files', {
      file: this.file,
      limit: attachmentLimits.size,
      headers: { accept: 'application/json' },
      signal,
      onProgress: (sent, of) => this.setProgress({ ...initialProgress, fraction: of > 0 ? sent / of : 0 }),
      onResponse: () => this.setProgress({ ...initialProgress, fraction: 1, reading: true }),
    });
    const response = await Promise.race([request, cancelled]);
    return response && (JSON.parse(response.responseText) as Attachment);
  }

  /** Marks it as waiting before a retry. */
  queue(): void {
    this.setProgress({ ...initialProgress, queued: true });
  }

  cancel(): void {
    this.abort.abort();
  }

  snapshot = (): Progress => this.progress;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  private setProgress(progress: Progress): void {
    this.progress = progress;
    for (const listener of this.listeners) listener();
  }
}

export function removeFile(id: string): void {
  fetch(`/api/files/${id}`, { method: 'DELETE' }).catch(() => undefined);
}

export async function fileExists(id: string): Promise<boolean> {
  const response = await fetch(`/api/files/${id}`, { method: 'HEAD' }).catch(() => null);
  return response?.status !== 404;
}

/** Where a draft belongs: the id of a chat or of an edited question; null for a new chat. */
export type Place = string | null;

export type PendingUpload =
  | { key: string; phase: 'sending'; upload: Upload }
  | { key: string; phase: 'failed'; upload: Upload; text: string }
  | {
      key: string;
      phase: 'stored';
      attachment: Attachment;
      preview: string | null;
      pasted?: string | undefined;
    };
